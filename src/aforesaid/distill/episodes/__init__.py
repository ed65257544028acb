"""Episodes: the events of a conversation, found by patterns in seven languages or by a model."""

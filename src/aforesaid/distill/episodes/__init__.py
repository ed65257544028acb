"""Episodes: what happened in a conversation, found by patterns in seven languages or by a model."""

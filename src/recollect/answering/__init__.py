"""What a model answers in a conversation, as it comes."""

"""Replies of a language model in a conversation, streamed."""

"""Summaries of a conversation: segments, merged chunks and the rolling summary."""

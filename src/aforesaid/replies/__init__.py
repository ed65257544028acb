"""Parsers for model answers, streamed or complete, in three API formats. Pure: bytes and JSON in, a ModelReply out."""

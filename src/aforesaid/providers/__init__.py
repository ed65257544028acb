"""Tokenizers, embedders and language models, found by name."""

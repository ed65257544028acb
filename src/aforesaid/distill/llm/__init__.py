"""Calls to a language model: routing, token budget, prompts, validated answers."""

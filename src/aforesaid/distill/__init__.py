"""Background extraction of facts, episodes, pins and summaries. Every step works without a language model."""

"""Facts: extracted from messages by patterns or by a model, always with a quote as evidence."""

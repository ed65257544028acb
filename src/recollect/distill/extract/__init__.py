"""What a message claims: found by patterns, or by a model; in both cases with the words that say it."""

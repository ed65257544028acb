"""Who thinks for us: tokenizers and embedders, reached by name."""

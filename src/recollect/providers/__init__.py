"""Who thinks for us: tokenizers, embedders and language models, reached by name."""

"""Records of the owner's own schemas: definitions, prompt, evidence gate, extraction."""

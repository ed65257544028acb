"""Frozen, typed values of the public API and between the parts, one module per noun."""

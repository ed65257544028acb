"""Frozen, typed values: those that callers see and those that the parts exchange, one module for each noun."""

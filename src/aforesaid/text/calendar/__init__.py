"""Finds and resolves time expressions: a table of words per language, and date arithmetic."""

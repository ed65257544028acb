"""Benchmarks that ship with aforesaid. Figures are ratios to a baseline of the same run."""

"""Benchmarks that ship with recollect. Figures are ratios to a baseline of the same run; timings alone say little."""

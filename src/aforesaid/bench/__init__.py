"""Benchmarks that are part of aforesaid. Figures are ratios to a baseline of the same run."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # done, total

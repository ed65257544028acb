"""The tokens of a context, and how they were spent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """`total` tokens may be used; `reserved` of them are kept for fixed purposes, `available` is the rest. `used` is
    what the context takes, whichever of the two it comes from."""

    total: int
    reserved: int
    used: int
    available: int

    @property
    def free(self) -> int:
        return self.total - self.used

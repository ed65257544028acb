"""Decay: how much of a memory's weight is left since its last access."""

from __future__ import annotations

from datetime import datetime, timedelta

HALF_LIFE = timedelta(days=30)
PER_ACCESS = 0.1
MOST_FROM_ACCESSES = 0.5


def decay(last: datetime, accesses: int, now: datetime) -> float:
    """Halves every 30 days since the last access or creation. Each access adds 0.1, up to 0.5. At most 1."""
    half_lives = max(timedelta(), now - last) / HALF_LIFE
    left: float = 0.5**half_lives
    return min(1.0, left + min(MOST_FROM_ACCESSES, PER_ACCESS * accesses))

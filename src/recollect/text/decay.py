"""How much of a memory's weight is left after a time in which nobody asked for it."""

from __future__ import annotations

from datetime import datetime, timedelta

HALF_LIFE = timedelta(days=30)
PER_ACCESS = 0.1
MOST_FROM_ACCESSES = 0.5


def decay(last: datetime, accesses: int, now: datetime) -> float:
    """Half after 30 days since the last access (or since it was made), plus 0.1 an access up to 0.5; at most 1."""
    rested = max(timedelta(), now - last) / HALF_LIFE
    left: float = 0.5**rested
    return min(1.0, left + min(MOST_FROM_ACCESSES, PER_ACCESS * accesses))

"""Ids that sort by time (UUID version 7)."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RANDOM_BITS = 62


class Ids:
    """Makes ids that sort by the moment they are made for; equal moments keep the order of asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last_moment = -1
        self._last_tail = 0

    def make(self, at: datetime) -> str:
        moment = max(0, microseconds(at))
        with self._lock:
            if moment == self._last_moment:
                tail = (self._last_tail + 1 + secrets.randbits(32)) % (1 << _RANDOM_BITS)
            else:
                tail = secrets.randbits(_RANDOM_BITS - 1)
            self._last_moment, self._last_tail = moment, tail
        return _uuid7(moment, tail)


def _uuid7(moment: int, tail: int) -> str:
    milliseconds, rest = divmod(moment, 1000)
    fraction = rest * 4096 // 1000  # the sub-millisecond part fills the 12 bits that the version leaves free
    value = (milliseconds << 80) | (0x7 << 76) | (fraction << 64) | (0b10 << 62) | tail
    digits = value.to_bytes(16, "big").hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def microseconds(at: datetime) -> int:
    """Microseconds since 1970 in UTC: how every store keeps time."""
    delta = at - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds

"""Ids that sort by time (UUID version 7)."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime
from uuid import UUID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BEFORE_EPOCH = 62_135_596_800_000_000  # microseconds from the year 1 to 1970
_OLD = 1_000  # microseconds; earlier times have no positive milliseconds to sort by


class Ids:
    """Makes ids that sort by their time; ids of the same time sort by creation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = secrets.randbits(24)

    def make(self, at: datetime) -> str:
        with self._lock:
            self._number = (self._number + 1) % (1 << 32)
            number = self._number
        timestamp = microseconds(at)
        return _pre_epoch_uuid(timestamp, number) if timestamp < _OLD else _uuid7(timestamp, number)


def _uuid7(timestamp: int, number: int) -> str:
    milliseconds, rest = divmod(timestamp, 1000)
    fraction = rest * 4096 // 1000  # the sub-millisecond part fills the 12 bits after the version
    return _format(milliseconds, fraction, (number << 30) | secrets.randbits(30))


def _pre_epoch_uuid(timestamp: int, number: int) -> str:
    """Before 1970, the milliseconds are zero, and the time is in the bits that are otherwise random."""
    since = timestamp + _BEFORE_EPOCH
    return _format(0, since >> 44, ((since & ((1 << 44) - 1)) << 18) | (number & ((1 << 18) - 1)))


def _format(milliseconds: int, fraction: int, tail: int) -> str:
    return str(UUID(int=(milliseconds << 80) | (0x7 << 76) | (fraction << 64) | (0b10 << 62) | tail))


def microseconds(at: datetime) -> int:
    """Microseconds since 1970 in UTC, the time format of the stores."""
    delta = at - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds

"""Ids that sort by time (UUID version 7)."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BEFORE_EPOCH = 62_135_596_800_000_000  # microseconds from the year 1 to 1970
_OLD = 1_000  # microseconds; what is not later than this has no milliseconds to sort by


class Ids:
    """Makes ids that sort by the moment they are made for; equal moments keep the order of asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = secrets.randbits(24)

    def make(self, at: datetime) -> str:
        with self._lock:
            self._number = (self._number + 1) % (1 << 32)
            number = self._number
        moment = microseconds(at)
        return _old(moment, number) if moment < _OLD else _uuid7(moment, number)


def _uuid7(moment: int, number: int) -> str:
    milliseconds, rest = divmod(moment, 1000)
    fraction = rest * 4096 // 1000  # the sub-millisecond part fills the 12 bits that the version leaves free
    return _written(milliseconds, fraction, (number << 30) | secrets.randbits(30))


def _old(moment: int, number: int) -> str:
    """Before 1970 the timestamp is zero, and the moment fills the bits that are otherwise random."""
    since = moment + _BEFORE_EPOCH
    return _written(0, since >> 44, ((since & ((1 << 44) - 1)) << 18) | (number & ((1 << 18) - 1)))


def _written(milliseconds: int, twelve: int, tail: int) -> str:
    value = (milliseconds << 80) | (0x7 << 76) | (twelve << 64) | (0b10 << 62) | tail
    digits = value.to_bytes(16, "big").hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def microseconds(at: datetime) -> int:
    """Microseconds since 1970 in UTC: how every store keeps time."""
    delta = at - EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds

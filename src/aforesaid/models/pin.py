"""Pins and the marks of automatic pins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

PinType = Literal["manual", "auto", "code", "concept", "system"]
PIN_TYPES: tuple[PinType, ...] = ("manual", "auto", "code", "concept", "system")


@dataclass(frozen=True, slots=True)
class Pin:
    """Something to keep in view until it is removed. `reason` says why, where aforesaid pinned it by itself."""

    id: str
    content: str
    importance: float
    type: PinType
    source_message_id: str | None
    created_at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PinMark:
    """That something was pinned automatically once: a digest of its words, and the message that they are from."""

    mark: str
    source_message_id: str | None

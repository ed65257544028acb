"""Pins and the marks of automatic pins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

PinType = Literal["manual", "auto", "code", "concept", "system"]
PIN_TYPES: tuple[PinType, ...] = get_args(PinType)


@dataclass(frozen=True, slots=True)
class Pin(Value):
    """A text in every context of its conversation, until it is removed. `reason` is set for automatic pins."""

    id: str
    content: str
    importance: float
    type: PinType
    source_message_id: str | None
    created_at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PinMark:
    """The mark of an automatic pin, so that it is not made twice: a digest of its text, and its source message."""

    mark: str
    source_message_id: str | None

"""A space, its statistics, its settings and its revision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class SpaceInfo:
    """A space and how much is in it."""

    id: str
    conversations: int
    messages: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a space holds, and the bytes that it takes: of its messages' `text`, of its `vectors`, and its share of
    the index `full_text` by its number of terms. `chunks` are those that can be searched, `summaries` completed."""

    conversations: int = 0
    messages: int = 0
    chunks: int = 0
    summaries: int = 0
    pins: int = 0
    facts: int = 0
    episodes: int = 0
    bytes: Mapping[str, int] = field(default_factory=lambda: {"text": 0, "full_text": 0, "vectors": 0})


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting's effective value and where it comes from: default, environment or space."""

    name: str
    value: bool | int | float | str
    source: Literal["default", "environment", "space"]


SpaceRevision: TypeAlias = tuple[int, int]  # a space's key, and how often its messages have left or were changed

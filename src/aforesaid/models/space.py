"""A space, its statistics, its settings, its hold and its revision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from aforesaid.models.value import Value

MAX_SPACES = 100  # in one recall or context


@dataclass(frozen=True, slots=True)
class SpaceInfo(Value):
    id: str
    conversations: int
    messages: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Stats(Value):
    """The numbers of records in a space, and its size in bytes. `full_text` is its share of the index by number of
    terms. `chunks` counts searchable chunks, `summaries` completed ones."""

    conversations: int = 0
    messages: int = 0
    chunks: int = 0
    summaries: int = 0
    pins: int = 0
    facts: int = 0
    episodes: int = 0
    items: int = 0
    bytes: Mapping[str, int] = field(default_factory=lambda: {"text": 0, "full_text": 0, "vectors": 0})


@dataclass(frozen=True, slots=True)
class Setting(Value):
    """The effective value of a setting, and its source."""

    name: str
    value: bool | int | float | str
    source: Literal["default", "environment", "space"]


@dataclass(frozen=True, slots=True)
class Hold(Value):
    """A legal hold on a space: when it began, who placed it, and why. While it lasts, nothing is erased."""

    space: str
    at: datetime
    by: str
    reason: str


SpaceRevision: TypeAlias = tuple[int, int]  # the key of a space, and its count of deleted and changed messages

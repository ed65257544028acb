"""Consolidations: their report, their criteria, and their steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from aforesaid.models.value import Value


@dataclass(frozen=True, slots=True)
class ConsolidationItem(Value):
    """One changed record: archived, with its remaining `strength`, or merged `into` another."""

    action: Literal["archived", "merged"]
    record: Literal["fact", "episode"]
    id: str
    into: str | None
    text: str
    tokens: int
    strength: float | None


@dataclass(frozen=True, slots=True)
class Consolidation(Value):
    """The report of a consolidation, or (without an id) its preview. `tokens` are those of the archived and merged
    records. `records` lists the first thousand of them; it is empty for past consolidations."""

    id: str
    at: datetime
    looked_at: int
    archived: int
    merged: int
    tokens: int
    records: tuple[ConsolidationItem, ...]
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class ConsolidationCriteria:
    """A record is weak if its last access is before `before`, and its importance times its decay below `least`."""

    before: datetime
    least: float
    half_life: timedelta
    per_access: float
    most_from_accesses: float


@dataclass(frozen=True, slots=True)
class ConsolidationStep:
    """The previous state of an archived or merged record. `copied` are the messages whose evidence was copied to the
    other fact; for an episode, the previous first and last seq of the other episode."""

    record: Literal["fact", "episode"]
    id: str
    status: str
    known_until: datetime | None
    into: str | None
    copied: tuple[str, ...] | tuple[int, int]


@dataclass(frozen=True, slots=True)
class ConsolidationExport:
    report: Consolidation
    steps: tuple[ConsolidationStep, ...]

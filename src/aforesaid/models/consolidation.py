"""Consolidations: their report, their criteria, and their steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal


@dataclass(frozen=True, slots=True)
class ConsolidationItem:
    """What becomes of one memory: it is archived, with the `strength` that it had left, or merged `into` another."""

    action: Literal["archived", "merged"]
    record: Literal["fact", "episode"]
    id: str
    into: str | None
    text: str
    tokens: int
    strength: float | None


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a consolidation did, or (without an id) would do. `tokens` are those of the memories that left; `records`
    names the first thousand of them, and is empty for a consolidation of the past."""

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
    """What is weak: not asked for since `before`, and importance times decay under `least`."""

    before: datetime
    least: float
    half_life: timedelta
    per_access: float
    most_from_accesses: float


@dataclass(frozen=True, slots=True)
class ConsolidationStep:
    """How a record stood before a consolidation archived it, or merged it `into` another. `copied` are the messages
    whose words were copied there; of an episode, the seqs from which to which the other one told before."""

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

"""Hits with their scores, and the explanation of a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, overload

from aforesaid.models.fact import Fact
from aforesaid.models.message import Chunk, Message

HitKind = Literal["message", "pin", "summary", "fact", "episode", "profile"]
HIT_KINDS: tuple[HitKind, ...] = ("message", "pin", "summary", "fact", "episode", "profile")


@dataclass(frozen=True, slots=True)
class Score:
    """Why a hit stands where it stands. Each part lies between 0 and 1 before it is weighted.

    `speaker`, `time` and `statement` are what the question's form says of who answers it and when: a small weight each.
    """

    total: float
    dense: float = 0.0
    lexical: float = 0.0
    identifier: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    access: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    statement: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that answers a query: a message with the chunk of it that does so best, or a pin, a summary, a fact, an
    episode or a profile.

    `messages` are the ids of those that say a fact, that an episode tells of, or that a pin was made of. `notes` are
    the facts, episodes and pins, by id, that were found too and that this message is part of: they take no place of
    their own.
    """

    kind: HitKind
    id: str
    text: str
    score: Score
    sources: tuple[str, ...]
    conversation: str
    message: Message | None = None
    chunk: Chunk | None = None
    messages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a query was read, and how much was looked at."""

    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    when: tuple[datetime, datetime] | None
    messages: int
    candidates: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """Ranked hits, best first. `degraded` names what could not be searched, `warnings` say why."""

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    explanation: Explanation | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

"""Episodes and the arc of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

EpisodeType = Literal["decision_made", "problem_solved", "breakthrough", "issue_identified", "task_completed", "pivot"]
EpisodeMethod = Literal["pattern", "model", "manual"]
EPISODE_TYPES: tuple[EpisodeType, ...] = get_args(EpisodeType)


@dataclass(frozen=True, slots=True)
class Episode(Value):
    """An event in a conversation, from `first_seq` to `last_seq`. `at` is the time of its last message."""

    id: str
    space: str
    conversation: str
    type: EpisodeType
    title: str
    summary: str
    context: str
    participants: tuple[str, ...]
    outcome: str | None
    valence: float
    significance: float
    facts: tuple[str, ...]
    first_seq: int
    last_seq: int
    method: EpisodeMethod
    model: str | None
    tokens: int
    created_at: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class ArcPart(Value):
    """A third of a conversation: its range, an extractive summary, and the episodes that end in it."""

    first_seq: int
    last_seq: int
    summary: str
    topics: tuple[str, ...]
    episodes: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Arc(Value):
    """A conversation in thirds. `key_moments` are its most significant episodes, in order."""

    beginning: ArcPart
    middle: ArcPart
    end: ArcPart
    key_moments: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class EpisodeExport:
    """An episode, and the id of the episode that it was merged into."""

    episode: Episode
    merged_into: str | None

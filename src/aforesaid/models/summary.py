"""Summaries, their timings, and the state of the rolling summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

SummaryKind = Literal["segment", "rolling"]
SummaryStatus = Literal["processing", "completed", "failed"]
SummaryMethod = Literal["model", "extractive", "offline"]
SUMMARY_KINDS: tuple[SummaryKind, ...] = ("segment", "rolling")
SUMMARY_STATES: tuple[SummaryStatus, ...] = ("processing", "completed", "failed")
SUMMARY_METHODS: tuple[SummaryMethod, ...] = ("model", "extractive", "offline")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a stretch of a conversation said, from `first_seq` to `last_seq`.

    A segment stands by itself; a rolling summary goes on from the one that `base_id` names. `method` and
    `milliseconds` say how it was made and how long that took, `error` why it was not, or not by a model. One that was
    made anew or merged stays, and says by which it was `replaced_by`.
    """

    id: str
    space: str
    conversation: str
    kind: SummaryKind
    first_seq: int
    last_seq: int
    message_count: int
    text: str
    topics: tuple[str, ...]
    importance: float
    base_id: str | None
    status: SummaryStatus
    method: SummaryMethod | None
    model: str | None
    tokens: int
    milliseconds: float | None
    error: str | None
    created_at: datetime
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class SummaryTimings:
    """How many summaries of a kind were completed and failed, and what the completed ones took: None for none."""

    completed: int
    failed: int
    average_milliseconds: float | None
    maximum_milliseconds: float | None


@dataclass(frozen=True, slots=True)
class RollingSummaryState:
    """How far a conversation's rolling summary has come.

    `latest` is the completed one that reaches the furthest; `behind` messages came after it. `making` is the one that
    is being made, `stuck` where that has taken longer than five minutes. `history` are the last ones of any state,
    the earliest first.
    """

    size: int
    newest_seq: int | None
    latest: Summary | None
    behind: int
    making: Summary | None
    stuck: bool
    timings: SummaryTimings
    history: tuple[Summary, ...]

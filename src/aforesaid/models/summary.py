"""Summaries, their timings, and the state of the rolling summary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

SummaryKind = Literal["segment", "rolling"]
SummaryStatus = Literal["processing", "completed", "failed"]
SummaryMethod = Literal["model", "extractive", "offline"]
SUMMARY_KINDS: tuple[SummaryKind, ...] = get_args(SummaryKind)
SUMMARY_STATES: tuple[SummaryStatus, ...] = get_args(SummaryStatus)
SUMMARY_METHODS: tuple[SummaryMethod, ...] = get_args(SummaryMethod)


@dataclass(frozen=True, slots=True)
class Summary(Value):
    """The summary of the messages from `first_seq` to `last_seq`.

    A segment stands alone; a rolling summary continues the summary `base_id`. `error` is the reason why it failed, or
    why no model made it. `milliseconds` is what it took, or in progress, what it has taken until its last sign of life.
    A summary that was made again or merged stays, with the id of its successor in `replaced_by`.
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
class SummaryTimings(Value):
    """The numbers of completed and failed summaries of a kind, and the durations of the completed ones."""

    completed: int
    failed: int
    average_milliseconds: float | None
    maximum_milliseconds: float | None


@dataclass(frozen=True, slots=True)
class RollingSummaryState(Value):
    """The state of the rolling summary of a conversation.

    `latest` is the completed summary with the highest seq; `behind` messages are newer. `making` is the summary in
    progress; it is `stuck` after five minutes without a sign of life. `history` are the last summaries of any status,
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

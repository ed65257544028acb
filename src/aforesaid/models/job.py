"""Background jobs and their results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

JobState = Literal["queued", "running", "done", "failed"]
JobOutcome = Literal["done", "more", "ended"]  # `more`: run it again; `ended`: the job has already stored its end
JOB_STATES: tuple[JobState, ...] = get_args(JobState)


@dataclass(frozen=True, slots=True)
class Job(Value):
    """A background job on a message, on a conversation or on the whole store. `attempts` counts its starts. `error` is
    the reason of the last failure, or why it left its work to the next job of its kind. `due_at` is the earliest start;
    for a running job, the end of its lease."""

    id: str
    kind: str
    space: str | None
    message_id: str | None
    state: JobState
    attempts: int
    error: str | None
    milliseconds: float | None
    created_at: datetime
    due_at: datetime
    worker: str | None
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class JobResult:
    """The end of a background job. `well` is False if it failed."""

    at: datetime
    milliseconds: float | None
    well: bool

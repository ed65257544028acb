"""Background jobs and their results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

JobState = Literal["queued", "running", "done", "failed"]
JobOutcome = Literal["done", "more", "ended"]  # of a job: done; a part of it is; done, and recorded as such already
JOB_STATES: tuple[JobState, ...] = ("queued", "running", "done", "failed")


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of background work, on a message, on a conversation or on the whole store. `attempts` counts the starts,
    `error` is the last reason it did not end, or why it left its work to the next of its kind.

    `due_at` is when it may start; for a running job, when its lease is over.
    """

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
    """Background work that came to its end, well or not."""

    at: datetime
    milliseconds: float | None
    well: bool

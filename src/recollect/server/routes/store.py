"""How the store is, as a whole: for a key to all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Body, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.errors import NotFinished
from recollect.models import Finding, Job, JobState, Status
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Governed, Whole

router = noun("store")


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes: the whole file, the messages' text, the full-text index, the vectors."""

    bytes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rechunked:
    """How many messages were split anew."""

    changed: int


class Patience(BaseModel):
    model_config = ConfigDict(extra="forbid")

    timeout: float = Field(30.0, ge=0, le=60, description="Seconds.")


@dataclass(frozen=True, slots=True)
class Flushed:
    """Whether the work is done. Where it is not, it goes on."""

    done: bool


@router.get("/status")
def status(memory: Whole) -> Status:
    """What the store holds and what is still to be done."""
    return memory.status()


@router.get("/size")
def size(memory: Whole) -> Size:
    """How many bytes it takes, and for what."""
    return Size(memory.size())


@router.get("/jobs")
def jobs(memory: Whole, state: Annotated[JobState | None, Query()] = None, limit: Limit = 50) -> Listed[Job]:
    """Background work: what failed, runs, is queued, is done; the newest of each first."""
    return listed(memory.jobs(state, limit))


@router.post("/flush")
def flush(memory: Whole, body: Annotated[Patience, Body()]) -> Flushed:
    """Waits for the background work, and says whether it was done in time."""
    try:
        memory.flush(body.timeout)
    except NotFinished:
        return Flushed(False)
    return Flushed(True)


@router.get("/doctor")
def doctor(memory: Whole) -> Listed[Finding]:
    """Compares the indexes with the log. Nothing is changed."""
    return listed(memory.doctor())


@router.post("/doctor")
def repair(memory: Whole) -> Listed[Finding]:
    """Compares, and rebuilds what differs."""
    return listed(memory.doctor(repair=True))


@router.post("/rechunk")
def rechunk(space: Governed) -> Rechunked:
    """Splits a space's stored messages anew, as its settings are now."""
    return Rechunked(space.rechunk())

"""Routes for the store as a whole: status, jobs, consistency checks. They need a key to all spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import Field

from aforesaid.errors import NotFinished
from aforesaid.models.job import Job, JobState
from aforesaid.models.store import Finding, Status
from aforesaid.server.dependencies import AdminSpace, WholeStore
from aforesaid.server.params import Limit, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("store")


@dataclass(frozen=True, slots=True)
class StoreSizeResponse:
    """Bytes of the whole file, the text of messages, the full-text index and the vectors."""

    bytes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RechunkResponse:
    """The number of messages with new chunks."""

    changed: int


class FlushBody(StrictBody):
    timeout: float = Field(30.0, ge=0, le=60, description="Seconds.")


@dataclass(frozen=True, slots=True)
class FlushResponse:
    """False if the work is not finished. It continues."""

    done: bool


@router.get("/status")
def status(memory: WholeStore) -> Status:
    """Returns the content of the store and the open background work in numbers."""
    return memory.status()


@router.get("/size")
def size(memory: WholeStore) -> StoreSizeResponse:
    """Returns the size of the store in bytes, by part."""
    return StoreSizeResponse(memory.size())


@router.get("/jobs")
def jobs(memory: WholeStore, state: Annotated[JobState | None, Query()] = None, limit: Limit = 50) -> ListResponse[Job]:
    """Lists background jobs: failed, running, queued and done, newest first in each state."""
    return list_response(memory.jobs(state, limit))


@router.post("/flush")
def flush(memory: WholeStore, body: FlushBody) -> FlushResponse:
    """Waits for background work, and returns whether it finished in time."""
    try:
        memory.flush(body.timeout)
    except NotFinished:
        return FlushResponse(False)
    return FlushResponse(True)


@router.get("/doctor")
def doctor(memory: WholeStore) -> ListResponse[Finding]:
    """Compares the indexes with the messages. Changes nothing."""
    return list_response(memory.doctor())


@router.post("/doctor")
def repair(memory: WholeStore) -> ListResponse[Finding]:
    """Compares the indexes with the messages, and rebuilds what differs."""
    return list_response(memory.doctor(repair=True))


@router.post("/rechunk")
def rechunk(space: AdminSpace) -> RechunkResponse:
    """Splits the stored messages of a space again, by its current settings."""
    return RechunkResponse(space.rechunk())

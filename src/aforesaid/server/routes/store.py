"""Routes for the store as a whole: status, jobs, consistency checks, access keys. They need a key to all spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import Field

from aforesaid.errors import NotFinished
from aforesaid.models.job import Job, JobState
from aforesaid.models.key import Key, KeyAccess, NewKey
from aforesaid.models.store import Finding, Status
from aforesaid.server.dependencies import AdminSpace, WholeStore
from aforesaid.server.params import Id, Limit, ShortText, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("store")
keys_router = api_router("keys", "/keys")


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


@router.get("/doctor", name="check")
def doctor(memory: WholeStore) -> ListResponse[Finding]:
    """Compares the indexes with the messages. Changes nothing."""
    return list_response(memory.doctor())


@router.post("/doctor")
def repair(memory: WholeStore) -> ListResponse[Finding]:
    """Compares the indexes with the messages, and rebuilds indexes that differ."""
    return list_response(memory.doctor(repair=True))


@router.post("/rechunk")
def rechunk(space: AdminSpace) -> RechunkResponse:
    """Splits the stored messages of a space again, by its current settings."""
    return RechunkResponse(space.rechunk())


class KeyBody(StrictBody):
    name: ShortText = Field(description="The actor's name in the audit.", examples=["laptop"])
    access: KeyAccess = Field("write", description="Each level includes the levels before it.")
    spaces: list[str] | None = Field(None, max_length=1000, description="Null: all spaces.", examples=[["alice"]])


@keys_router.get("", name="list")
def keys(memory: WholeStore) -> ListResponse[Key]:
    """Lists all keys, also revoked ones, oldest first. Never contains secrets."""
    return list_response(memory.keys())


@keys_router.post("", status_code=201, name="create")
def create_key(memory: WholeStore, body: KeyBody) -> NewKey:
    """Creates a key. Only this response contains its secret."""
    return memory.create_key(body.name, access=body.access, spaces=body.spaces)


@keys_router.delete("/{id}", name="revoke")
def revoke_key(memory: WholeStore, id: Id) -> Key:
    """Revokes a key, immediately and in every process."""
    return memory.revoke_key(id)

"""What changes, asked for or told as it happens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from pydantic import BaseModel, Field

from recollect.access.gate import Gate
from recollect.models import Change, Changes
from recollect.server.events import ALIVE, UNBUFFERED, EventStream, event
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Caller, Readable, address
from recollect.server.streams import PAGE, Listener, Stream, Streams

router = noun("changes")

Cursor = Annotated[int | None, Query(ge=0, le=2**53, description="What came after this one; from now on without it.")]
LastEvent = Annotated[
    int | None, Header(alias="Last-Event-ID", ge=0, le=2**53, description="As a browser sends it; goes before `after`.")
]
Within = Annotated[str | None, Query(max_length=1024, description="One conversation; else the whole space.")]


class ChangeList(BaseModel):
    items: list[Change]
    cursor: int = Field(description="What to go on after.")
    missed: bool = Field(description="The cursor is too old, or none of this space: read anew.")


@router.get("/changes")
def changes(space: Readable, conversation: Within = None, after: Cursor = None, limit: Limit = 100) -> ChangeList:
    """What was added, changed or removed after a cursor, oldest first; never what it says."""
    found = space.changes(after, conversation=conversation, limit=limit)
    return ChangeList(items=list(found), cursor=found.cursor, missed=found.missed)


async def listening(
    request: Request,
    caller: Caller,
    space: Readable,
    *,
    conversation: Within = None,
    after: Cursor = None,
    last: LastEvent = None,
) -> AsyncIterator[Stream]:
    gate: Gate = request.app.state.gate
    streams: Streams = request.app.state.streams

    def look(cursor: int | None) -> Changes:
        gate.admit(request.headers, address(request)).space(space.id)
        return space.changes(cursor, conversation=conversation, limit=PAGE)

    listener = Listener(caller.id, request.client and (request.client.host, request.client.port))
    async with streams.open(listener, look, after if last is None else last) as stream:
        yield stream


@router.get("/events", response_class=EventStream)
async def events(stream: Annotated[Stream, Depends(listening)]) -> EventStream:
    """Changes as they come, as server-sent events. `ready` says where it begins, each `change` is one as `/changes` has
    it, `missed` asks to read anew. An event's id is a cursor: connect again with the last one as `Last-Event-ID`."""
    return EventStream(written(stream), headers=UNBUFFERED)


async def written(stream: Stream) -> AsyncIterator[bytes]:
    """All that one look gave in one piece."""
    begun = False
    async for found in stream.follow():
        if found.missed or not (begun or found):
            yield event("missed" if found.missed else "ready", {"cursor": found.cursor}, found.cursor)
        else:
            yield b"".join(event("change", asdict(change), change.number) for change in found) or ALIVE
        begun = True

"""Routes for the change feed: read it by cursor, or follow it as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from pydantic import BaseModel, Field

from aforesaid.access.authentication import Authenticator
from aforesaid.models.change import Change, Changes
from aforesaid.server.dependencies import Caller, ReadableSpace, address
from aforesaid.server.params import MAX_SEQ, ConversationFilter, Limit
from aforesaid.server.router import api_router
from aforesaid.server.sse import (
    KEEP_ALIVE,
    PAGE_SIZE,
    UNBUFFERED,
    ChangeStream,
    ChangeStreams,
    EventStreamResponse,
    event_stream,
    format_event,
)

router = api_router("changes")

Cursor = Annotated[
    int | None, Query(ge=0, le=MAX_SEQ, description="Only changes after this cursor. Default: from now on.")
]
LastEvent = Annotated[
    int | None,
    Header(alias="Last-Event-ID", ge=0, le=MAX_SEQ, description="Sent by browsers. Takes precedence over `after`."),
]


EXAMPLE = """id: 41
event: ready
data: {"cursor": 41}

id: 42
event: change
data: {"number": 42, "kind": "message", "action": "added", "conversation": "trip", "record": "m1", "seq": 5}

"""


class ChangeList(BaseModel):
    items: list[Change]
    cursor: int = Field(description="The value of `after` for the next request.")
    missed: bool = Field(description="True if the cursor is too old or unknown: read the records again.")


@router.get("/changes", name="list")
def changes(
    space: ReadableSpace, conversation: ConversationFilter = None, after: Cursor = None, limit: Limit = 100
) -> ChangeList:
    """Lists the records that were added, changed or removed after a cursor, oldest first. Contains ids, never texts."""
    batch = space.changes(after, conversation=conversation, limit=limit)
    return ChangeList(items=list(batch), cursor=batch.cursor, missed=batch.missed)


async def open_stream(
    request: Request,
    caller: Caller,
    space: ReadableSpace,
    *,
    all: Annotated[
        bool, Query(description="Announces each change in any space, as `missed`. Needs an admin key to all spaces.")
    ] = False,
    conversation: ConversationFilter = None,
    after: Cursor = None,
    last: LastEvent = None,
) -> AsyncIterator[ChangeStream]:
    authenticator: Authenticator = request.app.state.authenticator
    streams: ChangeStreams = request.app.state.streams

    def read(cursor: int | None) -> Changes:
        principal = authenticator.admit(request.headers, address(request))  # the key may be revoked by now
        principal.space(space.id)
        if all:
            principal.need_all()
            return Changes(cursor=0 if cursor is None else cursor + 1, missed=cursor is not None)
        return space.changes(cursor, conversation=conversation, limit=PAGE_SIZE)

    peer = request.client and (request.client.host, request.client.port)
    async with streams.open(caller.id, peer, read, after if last is None else last) as stream:
        yield stream


@router.get(
    "/events",
    response_class=EventStreamResponse,
    responses=event_stream("The changes.", ("ready", "change", "missed"), EXAMPLE),
    name="stream",
)
async def events(stream: Annotated[ChangeStream, Depends(open_stream)]) -> EventStreamResponse:
    """Streams changes as server-sent events.

    `ready` has the first cursor, each `change` is an item of `/changes`, `missed` means: read the records again. The id
    of an event is a cursor: to reconnect, send the last one as `Last-Event-ID`.
    """
    return EventStreamResponse(encode_changes(stream), headers=UNBUFFERED)


async def encode_changes(stream: ChangeStream) -> AsyncIterator[bytes]:
    started = False
    async for batch in stream.follow():
        if batch.missed or not (started or batch):
            yield format_event("missed" if batch.missed else "ready", {"cursor": batch.cursor}, batch.cursor)
        else:
            yield b"".join(format_event("change", asdict(change), change.number) for change in batch) or KEEP_ALIVE
        started = True

"""What is said."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Body as FromBody
from fastapi import Query, Response
from pydantic import BaseModel, Field

from recollect.access import addresses
from recollect.models import Access, Chunk, Json, Message, When
from recollect.server.etags import UNCHANGED
from recollect.server.given import Body, Share
from recollect.server.made import made
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.paths import ConversationName, Id
from recollect.server.scope import Caller, Readable, Writable

router = noun("messages", "/conversations/{conversation}/messages")

Words = str | list[dict[str, Json]]


class Said(Body):
    """A message, as chat APIs have it. With an `id` it can be sent again."""

    role: str = Field(examples=["user"])
    content: Words | None = Field(None, examples=["We settled on Lisbon in May."])
    id: str | None = Field(None, description="Yours; sent again, it is stored once.", examples=["m1"])
    name: str | None = None
    tool_calls: list[dict[str, Json]] | None = None
    tool_call_id: str | None = None
    model: str | None = None
    at: datetime | None = Field(None, description="When it was said; now, if it does not say.")
    importance: Share | None = None
    metadata: dict[str, Json] | None = None


class Many(Body):
    """Messages that are stored together, all or none."""

    messages: list[Said] = Field(max_length=10_000)


class Edited(Body):
    """A message's new words."""

    content: Words = Field(examples=["We settled on Porto in May."])


class Messages(BaseModel):
    items: list[Message]


class Chunks(BaseModel):
    items: list[Chunk]


class Times(BaseModel):
    items: tuple[When, ...]


class Accesses(BaseModel):
    access: Access | None = Field(description="Null where no retrieval has handed it out.")


@router.post("", status_code=201)
def add_messages(
    space: Writable,
    caller: Caller,
    conversation: ConversationName,
    body: Annotated[Said | Many, FromBody()],
    response: Response,
) -> Messages:
    """Stores one message, or several in order, all or none. Durable and findable when this answers."""
    said = body.messages if isinstance(body, Many) else [body]
    addresses.check(caller, *(one.model for one in said))
    stored = space.conversation(conversation).add_many(one.model_dump(exclude_none=True) for one in said)
    if len(stored) == 1:
        made(response, space, "conversations", conversation, "messages", stored[0].id)
    return Messages(items=stored)


@router.get("", responses=UNCHANGED)
def messages(
    space: Readable,
    conversation: ConversationName,
    limit: Limit = 50,
    after: Annotated[int | None, Query(ge=-1, le=2**53, description="Those after this seq.")] = None,
    before: Annotated[int | None, Query(ge=0, le=2**53, description="The last ones before this seq.")] = None,
) -> Messages:
    """Messages, oldest first: the last ones, or those after or before a seq."""
    return Messages(items=space.conversation(conversation).messages(limit, after=after, before=before))


@router.get("/{id}")
def message(space: Readable, conversation: ConversationName, id: Id) -> Message:
    """One message."""
    return space.conversation(conversation).message(id)


@router.put("/{id}")
def edit_message(space: Writable, conversation: ConversationName, id: Id, body: Edited) -> Message:
    """Gives a message other words. What came from the old ones is erased or made anew, and the files are scrubbed."""
    return space.conversation(conversation).edit(id, body.content)


@router.get("/{id}/chunks")
def chunks(space: Readable, conversation: ConversationName, id: Id) -> Chunks:
    """The stretches of code and prose that a message is searched by."""
    return Chunks(items=space.conversation(conversation).chunks(id))


@router.get("/{id}/times")
def times(space: Readable, conversation: ConversationName, id: Id) -> Times:
    """What a message says about time, resolved from its own moment, once the background work has read it."""
    return Times(items=space.conversation(conversation).times(id))


@router.get("/{id}/accesses")
def accesses(space: Readable, conversation: ConversationName, id: Id) -> Accesses:
    """How often retrievals have handed a message out, and when last."""
    return Accesses(access=space.conversation(conversation).accesses(id))

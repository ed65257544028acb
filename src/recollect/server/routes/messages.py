"""What is said."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Json, Message
from recollect.server.page import Limit
from recollect.server.paths import ConversationName, Id
from recollect.server.scope import Readable, Writable

router = APIRouter(prefix="/conversations/{conversation}/messages", tags=["messages"])


class Said(BaseModel):
    """A message, as chat APIs have it. With an `id` it can be sent again."""

    model_config = ConfigDict(extra="forbid")

    role: str = Field(examples=["user"])
    content: str | list[dict[str, Json]] | None = Field(None, examples=["We settled on Lisbon in May."])
    id: str | None = Field(None, description="Yours; sent again, it is stored once.", examples=["m1"])
    name: str | None = None
    tool_calls: list[dict[str, Json]] | None = None
    tool_call_id: str | None = None
    model: str | None = None
    at: datetime | None = Field(None, description="When it was said; now, if it does not say.")
    importance: float | None = Field(None, ge=0, le=1)
    metadata: dict[str, Json] | None = None


class Many(BaseModel):
    """Messages that are stored together, all or none."""

    model_config = ConfigDict(extra="forbid")

    messages: list[Said] = Field(max_length=10_000)


class Messages(BaseModel):
    items: list[Message]


@router.post("", status_code=201)
def add_messages(space: Writable, conversation: ConversationName, body: Annotated[Said | Many, Body()]) -> Messages:
    """Stores one message, or several in order, all or none. Durable and findable when this answers."""
    said = body.messages if isinstance(body, Many) else [body]
    chat = space.conversation(conversation)
    return Messages(items=chat.add_many(one.model_dump(exclude_none=True) for one in said))


@router.get("")
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

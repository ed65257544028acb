"""What is kept in view."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import AliasChoices, BaseModel, Field

from recollect import Conversation
from recollect.models import Pin, PinType
from recollect.server.given import Body, Placed, Share
from recollect.server.made import made
from recollect.server.noun import noun
from recollect.server.page import MOST
from recollect.server.paths import ConversationName, Id
from recollect.server.scope import Readable, Writable
from recollect.space import Space

router = noun("pins")
HERE = "/conversations/{conversation}/pins"


class Pinning(Body):
    """A text, or a message by its id, and how much it matters."""

    content: str | None = Field(None, description="The message's own words, without it.", examples=["Budget: 900 €"])
    importance: Share = Field(
        0.8, validation_alias=AliasChoices("importance", "importance_score"), description="Also as `importance_score`."
    )
    type: PinType = Field(
        "manual", validation_alias=AliasChoices("type", "pin_type"), description="Also as `pin_type`."
    )
    source: str | None = Field(
        None,
        validation_alias=AliasChoices("source", "source_message_id", "sourceMessageId"),
        description="The id of the message that it comes from; also as `source_message_id`.",
    )


class PinningAnywhere(Placed, Pinning):
    """A pin, and the conversation that it is for."""


class PinChange(Body):
    """What is to change; what is not named stays."""

    content: str | None = None
    importance: Share | None = None
    type: PinType | None = None


class Pins(BaseModel):
    items: list[Pin]


def pinned(space: Space, chat: Conversation, body: Pinning, response: Response) -> Pin:
    of_message = body.content is None and body.source
    pin = chat.pin(
        chat.message(of_message) if of_message else body.content or "",
        importance=body.importance,
        type=body.type,
        source=body.source,
    )
    made(response, space, "conversations", chat.id, "pins", pin.id)
    return pin


@router.post("/pins", status_code=201)
def pin_anywhere(space: Writable, body: PinningAnywhere, response: Response) -> Pin:
    """Keeps a text or a message in view of the conversation that the body names."""
    return pinned(space, space.conversation(body.conversation), body, response)


@router.get(HERE)
def pins(
    space: Readable, conversation: ConversationName, limit: Annotated[int | None, Query(ge=1, le=MOST)] = None
) -> Pins:
    """Pins by importance, the newer first among equals."""
    return Pins(items=space.conversation(conversation).pins(limit))


@router.post(HERE, status_code=201)
def pin(space: Writable, conversation: ConversationName, body: Pinning, response: Response) -> Pin:
    """Keeps a text or a message in view until it is removed."""
    return pinned(space, space.conversation(conversation), body, response)


@router.get(HERE + "/{id}")
def one_pin(space: Readable, conversation: ConversationName, id: Id) -> Pin:
    """One pin."""
    return space.conversation(conversation).pinned(id)


@router.patch(HERE + "/{id}")
def edit_pin(space: Writable, conversation: ConversationName, id: Id, body: PinChange) -> Pin:
    """Changes what is given and keeps the rest."""
    return space.conversation(conversation).edit_pin(id, **body.model_dump(exclude_none=True))


@router.delete(HERE + "/{id}", status_code=204)
def unpin(space: Writable, conversation: ConversationName, id: Id) -> None:
    """Removes a pin."""
    space.conversation(conversation).unpin(id)

"""Routes for pins: texts that stay in every context of a conversation."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import AliasChoices, Field

from aforesaid import Conversation
from aforesaid.models.pin import Pin, PinType
from aforesaid.server.dependencies import ReadableConversation, WritableConversation, WritableSpace
from aforesaid.server.params import MAX_LIMIT, Id, InConversationBody, StrictBody, UnitInterval
from aforesaid.server.router import ListResponse, api_router, list_response, set_location

router = api_router("pins")
PINS = "/conversations/{conversation}/pins"


class PinBody(StrictBody):
    """A text, or a message by its id, and its importance."""

    content: str | None = Field(None, description="Default: the text of `source`.", examples=["Budget: 900 €"])
    importance: UnitInterval = Field(
        0.8,
        validation_alias=AliasChoices("importance", "importance_score"),
        description="Also accepted as `importance_score`.",
    )
    type: PinType = Field(
        "manual", validation_alias=AliasChoices("type", "pin_type"), description="Also accepted as `pin_type`."
    )
    source: str | None = Field(
        None,
        validation_alias=AliasChoices("source", "source_message_id", "sourceMessageId"),
        description="The id of the message that the pin comes from. Also accepted as `source_message_id`.",
    )


class PinInConversationBody(InConversationBody, PinBody):
    """A pin and its conversation."""


class PinEditBody(StrictBody):
    """The changes to a pin. Omitted fields keep their values."""

    content: str | None = None
    importance: UnitInterval | None = None
    type: PinType | None = None


def create_pin(chat: Conversation, body: PinBody, response: Response) -> Pin:
    content = chat.message(body.source) if body.content is None and body.source else body.content or ""
    pin = chat.pin(content, importance=body.importance, type=body.type, source=body.source)
    set_location(response, chat, "pins", pin.id)
    return pin


@router.post("/pins", status_code=201, name="create_anywhere")
def pin_anywhere(space: WritableSpace, body: PinInConversationBody, response: Response) -> Pin:
    """Pins a text or a message in the conversation that the body names."""
    return create_pin(space.conversation(body.conversation), body, response)


@router.get(PINS, name="list")
def pins(
    chat: ReadableConversation, limit: Annotated[int | None, Query(ge=1, le=MAX_LIMIT)] = None
) -> ListResponse[Pin]:
    """Lists pins by importance, then newest first."""
    return list_response(chat.pins(limit))


@router.post(PINS, status_code=201, name="create")
def pin(chat: WritableConversation, body: PinBody, response: Response) -> Pin:
    """Pins a text or a message until it is unpinned."""
    return create_pin(chat, body, response)


@router.get(PINS + "/{id}", name="get")
def one_pin(chat: ReadableConversation, id: Id) -> Pin:
    """Returns one pin."""
    return chat.pinned(id)


@router.patch(PINS + "/{id}", name="update")
def edit_pin(chat: WritableConversation, id: Id, body: PinEditBody) -> Pin:
    """Changes a pin."""
    return chat.edit_pin(id, **body.model_dump(exclude_none=True))


@router.delete(PINS + "/{id}", status_code=204, name="delete")
def unpin(chat: WritableConversation, id: Id) -> None:
    """Removes a pin."""
    chat.unpin(id)

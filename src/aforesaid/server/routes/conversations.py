"""Routes for conversations: list, start, change, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from aforesaid.access import authentication
from aforesaid.errors import InvalidInput
from aforesaid.models.conversation import ConversationInfo, ConversationStatus
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.server.dependencies import (
    Caller,
    ReadableConversation,
    ReadableSpace,
    WritableConversation,
    WritableSpace,
)
from aforesaid.server.middleware import NOT_MODIFIED
from aforesaid.server.params import (
    EXPIRES,
    MAX_NAME_LENGTH,
    MAX_SEQ,
    After,
    ConversationName,
    Limit,
    ShortText,
    StrictBody,
)
from aforesaid.server.router import ListResponse, Page, api_router, list_response, paginate

router = api_router("conversations", "/conversations")


class ConversationStartBody(StrictBody):
    """The properties of a new conversation."""

    title: str | None = Field(None, examples=["A trip to Lisbon"])
    model: str | None = Field(None, description="The language model of the conversation.", examples=["ollama:qwen3"])
    metadata: dict[str, Json] | None = None
    expires: str | None = Field(None, description=EXPIRES, examples=["30d"])


class ConversationEditBody(StrictBody):
    """The changes to a conversation. Omitted fields keep their values."""

    title: str | None = Field(None, examples=["Lisbon, in May"])
    status: ConversationStatus | None = Field(None, examples=["ended"])
    outcome: str | None = Field(None, description="The result, with the status `ended`.", examples=["booked"])
    strict: bool = Field(False, description="Refuses a status that it already has, with `wrong_state`.")
    muted: bool | None = Field(
        None, description="If true, its messages are neither recalled elsewhere nor distilled.", examples=[False]
    )
    expires: str | None = Field(None, description=EXPIRES, examples=["30d"])


class ForkBody(StrictBody):
    """Where a branch begins."""

    at: Annotated[int, Field(ge=-1, le=MAX_SEQ)] | ShortText | None = Field(
        None,
        description="The last message that is shared, by seq (a number; -1 shares none) or id (text). Default: the "
        "newest one.",
        examples=[3],
    )
    id: ShortText | None = Field(None, description="The name of the branch. Default: `NAME~2` and so on.")


class DeleteResponse(BaseModel):
    deleted: bool = Field(description="False if there was nothing to delete.")


@router.get("", name="list")
def list_conversations(
    space: ReadableSpace,
    limit: Limit = 50,
    after: After = None,
    status: Annotated[ConversationStatus | None, Query()] = None,
    q: Annotated[
        str | None, Query(max_length=MAX_NAME_LENGTH, description="Words in the name and title.", examples=["lisbon"])
    ] = None,
) -> Page[ConversationInfo]:
    """Lists conversations in the order in which they started."""
    return paginate(space.conversations(limit + 1, after=after, status=status, query=q), limit, lambda info: info.id)


@router.get("/{conversation}", responses=NOT_MODIFIED, name="get")
def conversation(chat: ReadableConversation) -> ConversationInfo:
    """Returns status, counts and times."""
    return chat.info()


@router.get("/{conversation}/recent")
def recent(
    chat: ReadableConversation,
    limit: Limit = 8,
    include_newest: Annotated[bool, Query(description="Include the current question.")] = False,
) -> ListResponse[Message]:
    """Lists the last messages, oldest first. By default without the newest one."""
    return list_response(chat.recent(limit, include_newest=include_newest))


@router.get("/{conversation}/branches", name="branches")
def branches(chat: ReadableConversation) -> ListResponse[ConversationInfo]:
    """Lists the branches of a conversation, in the order in which they were made."""
    return list_response(chat.branches())


@router.post("/{conversation}/fork", status_code=201, name="fork")
def fork(chat: WritableConversation, body: ForkBody) -> ConversationInfo:
    """Starts a branch, which shares the messages up to one of them and goes on for itself."""
    return chat.fork(body.at, id=body.id).info()


@router.put("/{conversation}", name="start")
def start_conversation(
    space: WritableSpace, caller: Caller, conversation: ConversationName, body: ConversationStartBody
) -> ConversationInfo:
    """Creates a conversation before its first message. Does not change an existing one."""
    authentication.check_model_address(caller, body.model)
    return space.conversation(conversation, model=body.model).start(
        title=body.title, metadata=body.metadata, expires=body.expires
    )


@router.patch("/{conversation}", name="update")
def change_conversation(chat: WritableConversation, body: ConversationEditBody) -> ConversationInfo:
    """Renames, mutes, unmutes, pauses, resumes or ends a conversation, or sets when it expires."""
    if body.outcome is not None and body.status != "ended":
        raise InvalidInput("an outcome needs the status `ended`")
    if body.title is not None:
        chat.rename(body.title)
    if body.expires is not None:
        chat.expire(body.expires)
    if body.muted is not None and body.muted != chat.info().muted:
        chat.mute() if body.muted else chat.unmute()
    if body.outcome is not None:
        return chat.end(body.outcome)
    if body.status is None or (not body.strict and body.status == chat.info().status):
        return chat.info()
    return {"ended": chat.end, "paused": chat.pause, "active": chat.resume}[body.status]()


@router.delete("/{conversation}", name="delete")
def delete_conversation(chat: WritableConversation) -> DeleteResponse:
    """Deletes a conversation and everything derived from it. `forget` also scrubs the files and leaves a record."""
    return DeleteResponse(deleted=chat.delete())

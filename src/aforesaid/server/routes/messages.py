"""Routes for messages: add, list, edit, remove, chunks, times, accesses, and importance scores."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query, Response
from pydantic import AliasChoices, BaseModel, Field

from aforesaid.access import authentication
from aforesaid.models.json import Json
from aforesaid.models.message import Chunk, Message, MessageScore, TimeSpan
from aforesaid.models.retrieval import Access
from aforesaid.server.dependencies import Caller, ReadableConversation, ReadableSpace, WritableConversation
from aforesaid.server.middleware import NOT_MODIFIED
from aforesaid.server.params import EXPIRES, MAX_SEQ, Id, Limit, Masked, Seq, ShortText, StrictBody, UnitInterval
from aforesaid.server.router import ListResponse, api_router, list_response, set_location

router = api_router("messages", "/conversations/{conversation}/messages")
scores_router = api_router("messages")
locate_router = api_router("messages", "/messages")

RAW = "The message as a framework wrote it: JSON text, kept byte for byte."
MessageContent = str | list[dict[str, Json]]


class MessageBody(StrictBody):
    """A message in the format of chat APIs. With an `id`, it can be sent again."""

    role: str = Field(examples=["user"])
    content: MessageContent | None = Field(None, examples=["We settled on Lisbon in May."])
    id: str | None = Field(None, description="Your own id. A repeated message is stored once.", examples=["m1"])
    name: str | None = None
    tool_calls: list[dict[str, Json]] | None = None
    tool_call_id: str | None = None
    model: str | None = None
    at: datetime | None = Field(None, description="The time of the message. Default: now.")
    importance: UnitInterval | None = None
    metadata: dict[str, Json] | None = None
    expires: str | None = Field(None, description=EXPIRES, examples=["30d"])
    raw: str | None = Field(None, description=RAW, examples=['{"role": "user", "content": "We settled on Lisbon."}'])


class MessageBatchBody(StrictBody):
    """Messages that are stored together: all or none."""

    messages: list[MessageBody] = Field(max_length=10_000)


class LocateBody(StrictBody):
    """The ids to look for."""

    ids: list[ShortText] = Field(max_length=10_000, examples=[["m1"]])


class MessageEditBody(StrictBody):
    """What changes in a message. What is missing stays."""

    content: MessageContent | None = Field(None, examples=["We settled on Porto in May."])
    metadata: dict[str, Json] | None = Field(None, description="Replaces all metadata.")
    raw: str | None = Field(None, description=RAW + " New content without it removes the old one.")


class RemoveBody(StrictBody):
    """The first and the last message to remove: each an id or a seq."""

    first: str | Seq = Field(examples=["m1"])
    last: str | Seq | None = Field(None, description="Default: the newest message.")


class ReplaceBody(StrictBody):
    """The first message to remove, an id or a seq, and the messages to store instead."""

    first: str | Seq = Field(examples=["m1"])
    messages: list[MessageBody] = Field(max_length=10_000)


class PopResponse(BaseModel):
    message: Message | None = Field(description="Null if the conversation has no message.")


class RemoveResponse(BaseModel):
    removed: int = Field(description="The number of removed messages.")


class MessageAccess(BaseModel):
    access: Access | None = Field(description="Null if the message was never recalled.")


class ScoreBody(StrictBody):
    """The messages to score. Default: the whole conversation."""

    ids: list[str] | None = Field(
        None,
        validation_alias=AliasChoices("ids", "message_ids", "messageIds"),
        max_length=10_000,
        description="Also accepted as `messageIds`.",
        examples=[["m1"]],
    )
    dry_run: bool = Field(False, description="Returns the scores, and changes nothing.")


@router.post("", status_code=201, name="create")
def add_messages(
    caller: Caller, chat: WritableConversation, body: MessageBody | MessageBatchBody, response: Response
) -> ListResponse[Message]:
    """Stores one message, or several in order, all or none. When this returns, they are durable and can be recalled."""
    bodies = body.messages if isinstance(body, MessageBatchBody) else [body]
    authentication.check_model_address(caller, *(message.model for message in bodies))
    stored = chat.add_many(message.model_dump(exclude_none=True) for message in bodies)
    if len(stored) == 1:
        set_location(response, chat, "messages", stored[0].id)
    return ListResponse(stored)


@locate_router.post("/locate", name="locate")
def locate(space: ReadableSpace, body: LocateBody) -> ListResponse[Message]:
    """Returns the messages with these ids, in any conversation of the space. Ids that it does not have are left out."""
    return list_response(space.locate(body.ids).values())


@router.get("", responses=NOT_MODIFIED, name="list")
def messages(
    chat: ReadableConversation,
    limit: Limit = 50,
    after: Annotated[int | None, Query(ge=-1, le=MAX_SEQ, description="The first messages after this seq.")] = None,
    before: Annotated[int | None, Query(ge=0, le=MAX_SEQ, description="The last messages before this seq.")] = None,
    *,
    masked: Masked = False,
) -> ListResponse[Message]:
    """Lists messages, oldest first. By default the last ones."""
    return list_response(chat.messages(limit, after=after, before=before, masked=masked))


@router.get("/{id}", name="get")
def message(chat: ReadableConversation, id: Id) -> Message:
    """Returns one message."""
    return chat.message(id)


@router.put("/{id}", name="update")
def edit_message(chat: WritableConversation, id: Id, body: MessageEditBody) -> Message:
    """Changes the content, the metadata or the raw form of a message. Data derived from old content is erased or
    derived again, and the files are scrubbed."""
    return chat.edit(id, body.content, metadata=body.metadata, raw=body.raw)


@router.post("/pop", name="pop")
def pop_message(chat: WritableConversation) -> PopResponse:
    """Removes the newest message with everything derived from it, and returns it."""
    return PopResponse(message=chat.pop())


@router.post("/remove", name="remove")
def remove_messages(chat: WritableConversation, body: RemoveBody) -> RemoveResponse:
    """Removes a range of messages with everything derived from them. The files are scrubbed later; `forget` scrubs
    them at once."""
    return RemoveResponse(removed=chat.remove(body.first, body.last))


@router.post("/replace", name="replace")
def replace_messages(caller: Caller, chat: WritableConversation, body: ReplaceBody) -> ListResponse[Message]:
    """Removes the messages from the first one on, and stores others: both, or nothing."""
    authentication.check_model_address(caller, *(message.model for message in body.messages))
    return ListResponse(chat.replace(body.first, [message.model_dump(exclude_none=True) for message in body.messages]))


@router.delete("", name="clear")
def clear_messages(chat: WritableConversation) -> RemoveResponse:
    """Removes all messages with everything derived from them. The conversation stays."""
    return RemoveResponse(removed=chat.clear())


@router.get("/{id}/chunks")
def chunks(chat: ReadableConversation, id: Id) -> ListResponse[Chunk]:
    """Lists the chunks of code and prose by which a message is searched."""
    return list_response(chat.chunks(id))


@router.get("/{id}/times")
def times(chat: ReadableConversation, id: Id) -> ListResponse[TimeSpan]:
    """Lists the times that a message mentions, resolved relative to its own time. Empty until background work has
    processed it."""
    return list_response(chat.times(id))


@router.get("/{id}/accesses")
def accesses(chat: ReadableConversation, id: Id) -> MessageAccess:
    """Returns how often a message was recalled, and when last."""
    return MessageAccess(access=chat.accesses(id))


@scores_router.post("/{conversation}/score-messages", name="score")
def score_messages(chat: WritableConversation, body: ScoreBody | None = None) -> ListResponse[MessageScore]:
    """Scores the importance of messages by the current rules, and replaces their previous importance."""
    body = body or ScoreBody.model_validate({})
    return list_response(chat.score(body.ids, dry_run=body.dry_run))

"""Routes for summaries of a conversation: segments, and the rolling summary."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import AliasChoices, BaseModel, Field

from aforesaid import Conversation
from aforesaid.models.summary import RollingSummaryState, Summary, SummaryKind, SummaryStatus
from aforesaid.server.dependencies import ReadableConversation, WritableConversation, WritableSpace
from aforesaid.server.params import Id, InConversationBody, Limit, Masked, Seq, ShortText, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response, set_location

router = api_router("summaries")
CONVERSATION = "/conversations/{conversation}"
SUMMARIES = CONVERSATION + "/summaries"


class SummarizeBody(StrictBody):
    """The first and last message, each by seq (number) or id (text). Default: the messages without a segment."""

    first: Seq | ShortText | None = Field(
        None,
        validation_alias=AliasChoices("first", "start_message_id"),
        description="Also accepted as `start_message_id`.",
        examples=[0],
    )
    last: Seq | ShortText | None = Field(
        None,
        validation_alias=AliasChoices("last", "end_message_id"),
        description="Also accepted as `end_message_id`.",
        examples=[14],
    )
    message_count: int | None = Field(None, description="Accepted and ignored: the server counts the messages.")


class SummarizeInConversationBody(InConversationBody, SummarizeBody):
    """A range of messages and its conversation."""


class NeedsSummaryResponse(BaseModel):
    needed: bool


def create_summary(chat: Conversation, body: SummarizeBody, response: Response) -> Summary:
    summary = chat.summarize(body.first, body.last)
    set_location(response, chat, "summaries", summary.id)
    return summary


@router.post("/summaries", status_code=201, name="create_anywhere")
def summarize_anywhere(space: WritableSpace, body: SummarizeInConversationBody, response: Response) -> Summary:
    """Summarizes messages of the conversation that the body names, now. Uses a model if one is configured."""
    return create_summary(space.conversation(body.conversation), body, response)


@router.get(SUMMARIES, name="list")
def summaries(
    chat: ReadableConversation,
    *,
    kind: Annotated[SummaryKind | None, Query()] = None,
    status: Annotated[Literal["processing", "completed", "failed", "any"], Query()] = "completed",
    replaced: Annotated[bool, Query(description="Include summaries that were replaced or merged.")] = False,
    limit: Limit = 50,
    masked: Masked = False,
) -> ListResponse[Summary]:
    """Lists the last summaries in the order of their messages."""
    state: SummaryStatus | None = None if status == "any" else status
    return list_response(chat.summaries(kind, state, limit, replaced=replaced, masked=masked))


@router.post(SUMMARIES, status_code=201, name="create")
def summarize(chat: WritableConversation, response: Response, body: SummarizeBody | None = None) -> Summary:
    """Summarizes messages now, and returns when it is done. Uses a model if one is configured."""
    return create_summary(chat, body or SummarizeBody.model_validate({}), response)


@router.get(CONVERSATION + "/needs-summary", name="needed")
def needs_summary(chat: ReadableConversation) -> NeedsSummaryResponse:
    """Returns whether a summary is due."""
    return NeedsSummaryResponse(needed=chat.needs_summary())


@router.get(CONVERSATION + "/chain")
def latest_chain(chat: ReadableConversation, limit: Limit = 50, *, masked: Masked = False) -> ListResponse[Summary]:
    """Lists the latest rolling summary and its predecessors, newest first."""
    return list_response(chat.chain(None, limit, masked=masked))


@router.get(SUMMARIES + "/{id}", name="get")
def summary(chat: ReadableConversation, id: Id) -> Summary:
    """Returns one summary."""
    return chat.summary(id)


@router.get(SUMMARIES + "/{id}/chain")
def chain(chat: ReadableConversation, id: Id, limit: Limit = 50, *, masked: Masked = False) -> ListResponse[Summary]:
    """Lists a summary and its predecessors, newest first."""
    return list_response(chat.chain(id, limit, masked=masked))


@router.get(CONVERSATION + "/window")
def window(chat: ReadableConversation) -> RollingSummaryState:
    """Returns the progress of the rolling summary, its cost, and whether it is stuck."""
    return chat.window()

"""What stretches of a conversation said."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import AliasChoices, BaseModel, Field

from recollect import Conversation
from recollect.models import Summary, SummaryKind, SummaryStatus, Window
from recollect.server.given import LONGEST_NAME, Body, Placed
from recollect.server.made import made
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.paths import ConversationName, Id
from recollect.server.scope import Readable, Writable
from recollect.space import Space

router = noun("summaries")
CONVERSATION = "/conversations/{conversation}"
HERE = CONVERSATION + "/summaries"

Seq = Annotated[int, Field(ge=0, le=2**53)]
MessageId = Annotated[str, Field(max_length=LONGEST_NAME)]


class Range(Body):
    """From which message to which, each by its seq (a number) or its id (text); what no segment covers, without."""

    first: Seq | MessageId | None = Field(
        None,
        validation_alias=AliasChoices("first", "start_message_id"),
        description="Also as `start_message_id`.",
        examples=[0],
    )
    last: Seq | MessageId | None = Field(
        None,
        validation_alias=AliasChoices("last", "end_message_id"),
        description="Also as `end_message_id`.",
        examples=[14],
    )
    message_count: int | None = Field(None, description="Accepted and not used: the messages are counted.")


class RangeAnywhere(Placed, Range):
    """A range, and the conversation that it is of."""


class Summaries(BaseModel):
    items: list[Summary]


class Need(BaseModel):
    needed: bool


def summed_up(space: Space, chat: Conversation, body: Range, response: Response) -> Summary:
    summary = chat.summarize(body.first, body.last)
    made(response, space, "conversations", chat.id, "summaries", summary.id)
    return summary


@router.post("/summaries", status_code=201)
def summarize_anywhere(space: Writable, body: RangeAnywhere, response: Response) -> Summary:
    """Sums up messages of the conversation that the body names, now: by a model where one is at hand."""
    return summed_up(space, space.conversation(body.conversation), body, response)


@router.get(HERE)
def summaries(
    space: Readable,
    conversation: ConversationName,
    *,
    kind: Annotated[SummaryKind | None, Query()] = None,
    status: Annotated[Literal["processing", "completed", "failed", "any"], Query()] = "completed",
    replaced: Annotated[bool, Query(description="Also those that were made anew or merged.")] = False,
    limit: Limit = 50,
) -> Summaries:
    """The last summaries by the messages that they reach, the earliest first."""
    wanted: SummaryStatus | None = None if status == "any" else status
    return Summaries(items=space.conversation(conversation).summaries(kind, wanted, limit, replaced=replaced))


@router.post(HERE, status_code=201)
def summarize(
    space: Writable, conversation: ConversationName, response: Response, body: Range | None = None
) -> Summary:
    """Sums up messages, now: by a model where one is at hand. It takes as long as the model does."""
    return summed_up(space, space.conversation(conversation), body or Range.model_validate({}), response)


@router.get(CONVERSATION + "/needs-summary")
def needs_summary(space: Readable, conversation: ConversationName) -> Need:
    """Whether a summary is due."""
    return Need(needed=space.conversation(conversation).needs_summary())


@router.get(CONVERSATION + "/chain")
def latest_chain(space: Readable, conversation: ConversationName, limit: Limit = 50) -> Summaries:
    """The latest rolling summary, the one that it goes on from, and so on."""
    return Summaries(items=space.conversation(conversation).chain(None, limit))


@router.get(HERE + "/{id}")
def summary(space: Readable, conversation: ConversationName, id: Id) -> Summary:
    """One summary."""
    return space.conversation(conversation).summary(id)


@router.get(HERE + "/{id}/chain")
def chain(space: Readable, conversation: ConversationName, id: Id, limit: Limit = 50) -> Summaries:
    """A summary, the one that it goes on from, and so on."""
    return Summaries(items=space.conversation(conversation).chain(id, limit))


@router.get(CONVERSATION + "/window")
def window(space: Readable, conversation: ConversationName) -> Window:
    """How far the rolling summary has come, what it took, and whether it is stuck."""
    return space.conversation(conversation).window()

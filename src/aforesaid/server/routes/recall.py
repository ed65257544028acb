"""Routes that search by a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from aforesaid import RecallOptions
from aforesaid.models.json import Json
from aforesaid.models.recall import Explanation, GroupKind, Hit, HitGroup, HitKind, Hits
from aforesaid.server.dependencies import Caller, ReadableConversation, ReadableSpace, ServedStore
from aforesaid.server.params import MAX_LIMIT, ConversationFilter, Limit, Moment, ShortText, StrictBody, UnitInterval
from aforesaid.server.router import api_router

router = api_router("recall")

TextList = Annotated[list[str], Field(max_length=100)]


class RecallBody(StrictBody):
    """A question and filters."""

    query: str = Field(examples=["Which seat do I like?"])
    limit: int = Field(10, ge=1, le=MAX_LIMIT)
    kinds: list[HitKind] | None = Field(None, max_length=100, examples=[["message", "fact"]])
    types: TextList | None = Field(None, description="Kinds of facts, types of episodes, pins and summaries.")
    categories: TextList | None = None
    tags: TextList | None = None
    filter: dict[str, Json] | None = Field(
        None,
        description="Conditions on the metadata of messages, and of conversations (`conversation.`field). Operators: "
        "`$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$exists`, `$and`, `$or`, `$not`.",
        examples=[{"topic": "billing", "priority": {"$gte": 3}}],
    )
    group: GroupKind | None = Field(
        None, description="Return whole sessions, or turns with their neighbours, in `groups`: at most `limit`."
    )
    since: Moment | None = None
    until: Moment | None = None
    min_importance: UnitInterval | None = None
    min_score: UnitInterval | None = Field(None, description="The least relevance of a hit.")
    include_episodes: bool | None = None
    as_of: Moment | None = Field(None, description="What was true at this time.")
    known_at: Moment | None = Field(None, description="What was known at this time.")
    boost: str | None = Field(None, description="A text whose rare words also raise the score.")
    explain: bool | None = Field(None, description="Also return how the question was parsed.")
    items: bool | TextList | None = Field(None, description="Also items: of this namespace, or with true of all.")


class SpaceRecallBody(RecallBody):
    """A question to a space, or to one conversation of it only."""

    conversation: ShortText | None = None


class SpacesRecallBody(RecallBody):
    """A question to several spaces."""

    spaces: Annotated[list[ShortText], Field(max_length=1000, examples=[["alice", "team"]])]


class RecallResponse(BaseModel):
    """Hits, best first. `degraded` names the searches that failed; `warnings` give the reasons. With `group`, the
    hits are those of the `groups`, in their order."""

    items: tuple[Hit, ...] = Field(validation_alias="hits")
    degraded: tuple[str, ...]
    warnings: tuple[str, ...]
    explanation: Explanation | None
    milliseconds: Mapping[str, float]
    groups: tuple[HitGroup, ...]


def recall_response(hits: Hits) -> RecallResponse:
    return RecallResponse.model_validate(hits, from_attributes=True)


@router.post("/recall", name="search")
def recall(space: ReadableSpace, body: SpaceRecallBody) -> RecallResponse:
    """Searches the whole space for answers to a question."""
    return recall_response(space.recall(**body.model_dump(exclude_none=True)))


@router.post("/spaces/recall", name="search_spaces")
def recall_spaces(memory: ServedStore, caller: Caller, body: SpacesRecallBody) -> RecallResponse:
    """Searches several spaces, all of which the key must open. Each hit names its space, and the scores are
    comparable."""
    caller.need("read")
    spaces = [caller.space(name) for name in body.spaces]
    return recall_response(memory.recall(spaces, **body.model_dump(exclude={"spaces"}, exclude_none=True)))


@router.get("/recall", name="search_by_get")
def recall_by_address(
    space: ReadableSpace,
    q: Annotated[str, Query(description="The question.", examples=["seat"])],
    limit: Limit = 10,
    conversation: ConversationFilter = None,
    kind: Annotated[list[HitKind] | None, Query()] = None,
) -> RecallResponse:
    """The same as a GET request."""
    filters: RecallOptions = {"kinds": kind} if kind else {}
    return recall_response(space.recall(q, limit, conversation=conversation, **filters))


@router.post("/conversations/{conversation}/recall", name="search_conversation")
def recall_here(chat: ReadableConversation, body: RecallBody) -> RecallResponse:
    """Searches this conversation for answers to a question, and its space if it gives fewer than three."""
    return recall_response(chat.recall(**body.model_dump(exclude_none=True)))

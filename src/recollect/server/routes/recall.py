"""What answers a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import Field

from recollect import Bounds
from recollect.models import Explanation, Hit, HitKind, Hits
from recollect.server.given import LONGEST_NAME, Body, Moment, Share
from recollect.server.noun import noun
from recollect.server.page import MOST, Limit
from recollect.server.paths import ConversationName
from recollect.server.scope import Readable

router = noun("recall")

Listed = Annotated[list[str], Field(max_length=100)]


class Asked(Body):
    """A question, and what may answer it."""

    query: str = Field(examples=["Which seat do I like?"])
    limit: int = Field(10, ge=1, le=MOST)
    kinds: list[HitKind] | None = Field(None, max_length=100, examples=[["message", "fact"]])
    types: Listed | None = Field(None, description="Kinds of facts, types of episodes, pins and summaries.")
    categories: Listed | None = None
    tags: Listed | None = None
    since: Moment | None = None
    until: Moment | None = None
    min_importance: Share | None = None
    include_episodes: bool | None = None
    as_of: Moment | None = Field(None, description="What was true then.")
    known_at: Moment | None = Field(None, description="What was known then.")
    boost: str | None = Field(None, description="A text whose rare words count too.")
    explain: bool | None = Field(None, description="Says how the question was read.")


class AskedAnywhere(Asked):
    """A question to a space, or to one conversation of it and nothing else."""

    conversation: str | None = Field(None, max_length=LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Found:
    """What answers, best first. `degraded` names what could not be searched, `warnings` say why."""

    items: tuple[Hit, ...]
    degraded: tuple[str, ...]
    warnings: tuple[str, ...]
    explanation: Explanation | None
    milliseconds: Mapping[str, float]


def found(hits: Hits) -> Found:
    return Found(hits.hits, hits.degraded, hits.warnings, hits.explanation, hits.milliseconds)


@router.post("/recall")
def recall(space: Readable, body: AskedAnywhere) -> Found:
    """What answers a question, of the whole space."""
    return found(space.recall(**body.model_dump(exclude_none=True)))


@router.get("/recall")
def recall_by_address(
    space: Readable,
    q: Annotated[str, Query(description="The question.", examples=["seat"])],
    limit: Limit = 10,
    conversation: Annotated[str | None, Query(max_length=LONGEST_NAME)] = None,
    kind: Annotated[list[HitKind] | None, Query()] = None,
) -> Found:
    """The same, for a question that fits into an address."""
    bounds: Bounds = {"kinds": kind} if kind else {}
    return found(space.recall(q, limit, conversation=conversation, **bounds))


@router.post("/conversations/{conversation}/recall")
def recall_here(space: Readable, conversation: ConversationName, body: Asked) -> Found:
    """What answers a question: of this conversation first, of its space where it gives fewer than three."""
    return found(space.conversation(conversation).recall(**body.model_dump(exclude_none=True)))

"""A look inside, under the names that dashboards of the kind know."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from recollect.models import Hit, Score
from recollect.server.given import LONGEST_NAME
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Readable

router = noun("debug", "/debug")

SOURCES = {"lexical": "fts"}  # what they call it
STAGES = {"total_ms": "total", "dense_ms": "dense", "fts_ms": "lexical", "rerank_ms": "rerank"}
UNITS = ("B", "kB", "MB", "GB", "TB")


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Result(Camel):
    """`source` is what found it first, `sources` are all that did; `parts` are what the score is made of."""

    content: str
    score: float
    source: str
    type: str
    id: str
    conversation_id: str
    sources: tuple[str, ...]
    parts: Score


class Stages(Camel):
    total_ms: float
    dense_ms: float
    fts_ms: float
    rerank_ms: float


class Flags(Camel):
    hybrid: bool
    chunking: bool
    token_budget: int


class Looked(Camel):
    query: str
    results: list[Result]
    metrics: Stages
    flags: Flags
    degraded: tuple[str, ...]


class Sizes(Camel):
    messages: str
    embeddings: str
    fts: str


class Held(Camel):
    """What a space holds."""

    total_messages: int
    total_conversations: int
    total_chunks: int
    total_summaries: int
    profile_consent: bool
    index_sizes: Sizes


@router.get("/retrieval")
def retrieval(
    space: Readable,
    q: Annotated[str, Query(description="The question.", examples=["seat"])],
    conversation_id: Annotated[str | None, Query(alias="conversationId", max_length=LONGEST_NAME)] = None,
    limit: Limit = 10,
) -> Looked:
    """How a question is answered: what was found, by whom, and how long each stage took."""
    asked = space if conversation_id is None else space.conversation(conversation_id)
    hits = asked.recall(q, limit)
    set_up = {setting.name: setting.value for setting in space.settings()}
    return Looked(
        query=q,
        results=[result(hit) for hit in hits],
        metrics=Stages(**{name: hits.milliseconds.get(stage, 0.0) for name, stage in STAGES.items()}),
        flags=Flags(
            hybrid=bool(set_up["hybrid"]), chunking=bool(set_up["chunking"]), token_budget=int(set_up["token_budget"])
        ),
        degraded=hits.degraded,
    )


@router.get("/stats")
def stats(space: Readable) -> Held:
    """How much the space holds, and what that takes."""
    held, consent = space.stats(), space.consent()
    return Held(
        total_messages=held.messages,
        total_conversations=held.conversations,
        total_chunks=held.chunks,
        total_summaries=held.summaries,
        profile_consent=consent.granted,
        index_sizes=Sizes(
            messages=size(held.bytes["text"]),
            embeddings=size(held.bytes["vectors"]),
            fts=size(held.bytes["full_text"]),
        ),
    )


def result(hit: Hit) -> Result:
    sources = tuple(SOURCES.get(source, source) for source in hit.sources)
    part = hit.message is not None and hit.chunk is not None and len(hit.chunk.content) < len(hit.message.text)
    return Result(
        content=hit.text,
        score=hit.score.total,
        source=sources[0] if sources else "recency",
        type="chunk" if part else hit.kind,
        id=hit.id,
        conversation_id=hit.conversation,
        sources=sources,
        parts=hit.score,
    )


def size(count: float) -> str:
    """Bytes as people read them: `5.2 MB`."""
    at = 0
    while count >= 1000 and at < len(UNITS) - 1:
        count, at = count / 1000, at + 1
    return f"{count:.0f} {UNITS[at]}" if at == 0 else f"{count:.1f} {UNITS[at]}"

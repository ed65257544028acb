"""Routes for dashboards that expect the field names of other memory servers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from aforesaid.models.recall import Hit, Score
from aforesaid.models.space import Stats
from aforesaid.server.dependencies import ReadableSpace
from aforesaid.server.params import MAX_NAME_LENGTH, Limit
from aforesaid.server.router import api_router

router = api_router("debug", "/debug")
stats_router = api_router("spaces")

SOURCE_NAMES = {"lexical": "fts"}
STAGE_NAMES = {"total_ms": "total", "dense_ms": "dense", "fts_ms": "lexical", "rerank_ms": "rerank"}
UNITS = ("B", "kB", "MB", "GB", "TB")


class CamelModel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class DebugHit(CamelModel):
    """`source` is the first source that found it, `sources` are all of them; `parts` are the parts of the score."""

    content: str
    score: float
    source: str
    type: str
    id: str
    conversation_id: str
    sources: tuple[str, ...]
    parts: Score


class DebugTimings(CamelModel):
    total_ms: float
    dense_ms: float
    fts_ms: float
    rerank_ms: float


class DebugFlags(CamelModel):
    hybrid: bool
    chunking: bool
    token_budget: int


class DebugRetrieval(CamelModel):
    query: str
    results: list[DebugHit]
    metrics: DebugTimings
    flags: DebugFlags
    degraded: tuple[str, ...]


class DebugIndexSizes(CamelModel):
    messages: str
    embeddings: str
    fts: str


class DebugStats(CamelModel):
    """The content of a space in numbers."""

    total_messages: int
    total_conversations: int
    total_chunks: int
    total_summaries: int
    profile_consent: bool
    index_sizes: DebugIndexSizes


@stats_router.get("/stats", name="stats")
def space_stats(space: ReadableSpace) -> Stats:
    """Returns the numbers of records of a space, and its size in bytes."""
    return space.stats()


@router.get("/retrieval")
def retrieval(
    space: ReadableSpace,
    q: Annotated[str, Query(description="The question.", examples=["seat"])],
    conversation_id: Annotated[str | None, Query(alias="conversationId", max_length=MAX_NAME_LENGTH)] = None,
    limit: Limit = 10,
) -> DebugRetrieval:
    """Recalls, and shows the sources of each hit and the duration of each stage."""
    hits = (space if conversation_id is None else space.conversation(conversation_id)).recall(q, limit)
    settings = {setting.name: setting.value for setting in space.settings()}
    return DebugRetrieval(
        query=q,
        results=[debug_hit(hit) for hit in hits],
        metrics=DebugTimings(**{name: hits.milliseconds.get(stage, 0.0) for name, stage in STAGE_NAMES.items()}),
        flags=DebugFlags.model_validate({name: settings[name] for name in DebugFlags.model_fields}),
        degraded=hits.degraded,
    )


@router.get("/stats")
def stats(space: ReadableSpace) -> DebugStats:
    """Returns the counts of a space and the sizes of its indexes."""
    content = space.stats()
    return DebugStats(
        total_messages=content.messages,
        total_conversations=content.conversations,
        total_chunks=content.chunks,
        total_summaries=content.summaries,
        profile_consent=space.consent().granted,
        index_sizes=DebugIndexSizes(
            messages=format_bytes(content.bytes["text"]),
            embeddings=format_bytes(content.bytes["vectors"]),
            fts=format_bytes(content.bytes["full_text"]),
        ),
    )


def debug_hit(hit: Hit) -> DebugHit:
    sources = tuple(SOURCE_NAMES.get(source, source) for source in hit.sources)
    partial = hit.message is not None and hit.chunk is not None and len(hit.chunk.content) < len(hit.message.text)
    return DebugHit(
        content=hit.text,
        score=hit.score.total,
        source=sources[0] if sources else "recency",
        type="chunk" if partial else hit.kind,
        id=hit.id,
        conversation_id=hit.conversation,
        sources=sources,
        parts=hit.score,
    )


def format_bytes(count: float) -> str:
    """Formats a number of bytes as in `5.2 MB`."""
    unit = 0
    while count >= 1000 and unit < len(UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.0f} {UNITS[unit]}" if unit == 0 else f"{count:.1f} {UNITS[unit]}"

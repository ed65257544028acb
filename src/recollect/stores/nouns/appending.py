"""New messages of a conversation as one JSON value, for an engine that appends them in one statement."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Json
from recollect.records import ChunkDraft, MessageDraft
from recollect.stores import rows
from recollect.stores.nouns import chunks


def written(
    conversation: str, drafts: Sequence[MessageDraft], at: datetime, under: Mapping[str, Json] | None = None
) -> str:
    """What the function `append_messages` takes."""
    given = {
        "conversation": conversation,
        "under": under,
        "named": [draft.id for draft in drafts if draft.named],
        "drafts": list(_records(drafts)),
        **growth(drafts, at),
    }
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"))


def growth(drafts: Collection[MessageDraft], at: datetime) -> dict[str, Json]:
    """By how much a conversation grows with new messages, and what becomes of it."""
    return {
        **extent(drafts),
        "model": next((draft.model for draft in reversed(list(drafts)) if draft.model), None),
        "at": microseconds(at),
    }


def extent(drafts: Collection[MessageDraft]) -> dict[str, int]:
    return {
        "messages": len(drafts),
        "turns": sum(draft.role == "user" for draft in drafts),
        "tokens": sum(draft.tokens for draft in drafts),
        **weight(drafts),
    }


def weight(drafts: Collection[MessageDraft]) -> dict[str, int]:
    """How many chunks, and terms in them, can be searched for."""
    found = [chunk for draft in drafts if draft.indexed for chunk in draft.chunks]
    return {"chunks": len(found), "terms": sum(len(chunk.terms) for chunk in found)}


def asks_to_distill(drafts: Collection[MessageDraft]) -> bool:
    return any(draft.indexed and draft.text for draft in drafts)


def _records(drafts: Sequence[MessageDraft]) -> Iterator[Mapping[str, Json]]:
    """Chunks have their keys from 0 on: the space's last one is known where they are written."""
    number, distill = 0, ["distill"] if asks_to_distill(drafts) else []
    for draft in drafts:
        keys = chunks.keys_from(number, draft.chunks)
        number += len(keys)
        pieces = chunks.columns(keys, draft.chunks)
        if draft.indexed:
            pieces = [piece | {"words": _words(chunk)} for piece, chunk in zip(pieces, draft.chunks, strict=True)]
        yield rows.columns(draft) | {
            "first_chunk": keys[0] if keys else None,
            "last_chunk": keys[-1] if keys else None,
            "pieces": pieces,
            "jobs": [*draft.jobs, *distill],
        }
        distill = []


def _words(chunk: ChunkDraft) -> str:
    """Each with a space before it, where the space's key will stand."""
    return "".join(f" {term}" for term in chunks.frequent(chunk.terms))

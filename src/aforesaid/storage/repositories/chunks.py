"""Chunks and their full-text rows, written inside the caller's transaction.

A chunk is stored as two offsets, so the text is in the file once. The chunks of a message have consecutive keys and
need no index.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

import numpy as np

from aforesaid.models.json import Json
from aforesaid.models.message import Chunk, ChunkDraft
from aforesaid.storage import queries
from aforesaid.storage.checksums import checksum
from aforesaid.storage.columns import from_row, to_columns
from aforesaid.storage.database import Row, Session, scalar
from aforesaid.storage.repositories.space_keys import ConversationKeys

SQL = queries.named("chunks")

_covered = itemgetter(  # the columns of a row in a SQLite file, in order
    "chunk_key", "space_key", "message_key", "part", "kind", "language", "start", "stop", "tokens", "terms"
)

LENGTH_CODES = 64
FREQUENCIES = (2, 4)  # BM25 saturates: more occurrences than four hardly change the score
_EXACT = 32  # lengths below this are exact, longer ones rounded to an eighth of a power of two


def length_code(terms: int) -> int:
    """The six-bit code of a number of terms."""
    if terms < _EXACT:
        return terms
    return min(LENGTH_CODES - 1, _EXACT + round(8 * math.log2(terms / _EXACT)))


def code_length(code: int) -> float:
    """The approximate number of terms that a code stands for."""
    return float(code) if code < _EXACT else _EXACT * 2 ** ((code - _EXACT) / 8)


LENGTHS = np.array([code_length(code) for code in range(LENGTH_CODES)])  # by code


def keys_for(session: Session, space_key: int, drafts: Sequence[ChunkDraft]) -> list[int]:
    """Returns ascending keys for new chunks."""
    if not drafts:
        return []
    last = int(scalar(session.fetch(SQL["last_key"], {"space_key": space_key})))
    return keys_from(last // LENGTH_CODES + 1, drafts)


def keys_from(number: int, drafts: Sequence[ChunkDraft]) -> list[int]:
    return [(number + at) * LENGTH_CODES + length_code(len(draft.terms)) for at, draft in enumerate(drafts)]


def span(keys: Sequence[int]) -> dict[str, int | None]:
    """A message's columns that name its chunks."""
    return {"first_chunk": keys[0] if keys else None, "last_chunk": keys[-1] if keys else None}


def insert(
    session: Session, space_key: int, message_key: int, keys: Sequence[int], drafts: Sequence[ChunkDraft]
) -> None:
    """Writes the chunks of a message."""
    for each in columns(keys, drafts):
        values = each | {"space_key": space_key, "message_key": message_key}
        values["checksum"] = checksum(_covered(values))
        session.execute(SQL["insert"], values)


def columns(keys: Sequence[int], drafts: Sequence[ChunkDraft]) -> list[dict[str, Json]]:
    return [
        to_columns(draft, "terms") | {"chunk_key": key, "part": part, "terms": len(draft.terms)}
        for part, (key, draft) in enumerate(zip(keys, drafts, strict=True))
    ]


def chunk_from_row(message_id: str, text: str, row: Row, tokens: int) -> Chunk:
    """`text` is the whole text of the message, `tokens` those of the chunk."""
    content = text[row.start : row.stop]
    return Chunk(f"{message_id}#{row.part}", message_id, row.part, row.kind, row.language, content, tokens)


def draft_from_row(row: Row) -> ChunkDraft:
    """Without terms."""
    return from_row(ChunkDraft, row, terms=())


def index(session: Session, owner: ConversationKeys, keys: Sequence[int], terms: Sequence[Sequence[str]]) -> None:
    """Writes full-text rows for chunks that have none. Every term is marked with its space, every row with its
    conversation."""
    for key, words in zip(keys, terms, strict=True):
        values = {"space_key": owner.space_key, "chunk_key": key, "terms": " ".join(index_terms_of(owner, words))}
        session.execute(SQL["index"], values)


def index_terms_of(owner: ConversationKeys, words: Sequence[str]) -> list[str]:
    """Returns a chunk's terms as indexed: each with its space and frequency, and one for the conversation."""
    return [f"c{owner.conversation_key}", *(f"{owner.space_key}{term}" for term in with_frequencies(words))]


def with_frequencies(words: Sequence[str]) -> list[str]:
    """Returns a chunk's terms, each once, and once more for every frequency that it reaches."""
    terms = list(set(words))
    if len(terms) < len(words):
        for often in FREQUENCIES:
            terms += [f"{often}{word}" for word, count in Counter(words).items() if count >= often]
    return terms


def remove(session: Session, space_key: int, first_chunk: int | None, last_chunk: int | None) -> int:
    """Removes a message's chunks and their full-text rows. Returns the number of chunks."""
    scope = {"space_key": space_key, "first_chunk": first_chunk, "last_chunk": last_chunk}
    rows = [] if first_chunk is None else session.fetch(SQL["of_message"], scope)
    for row in rows:
        session.execute(SQL["unindex"], {"space_key": space_key, "chunk_key": row.chunk_key})
    session.execute(SQL["delete"], scope)
    return len(rows)

"""Chunks and their full-text rows, inside the caller's transaction.

A chunk's key is a rising number times 64 plus a code for how many terms the chunk has. BM25 needs that number for
every document it meets, and finds it in the posting itself. A term that occurs twice, or four times, is also indexed
as `2term` and `4term`: all of its frequency that BM25 can tell apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from recollect.records import ChunkDraft
from recollect.stores import queries
from recollect.stores.database import Session

SQL = queries.named("chunks")

LENGTH_CODES = 64
FREQUENCIES = (2, 4)  # BM25 levels off: a term that occurs four times counts hardly less than one that fills the chunk
_EXACT = 32  # lengths below this are kept exactly, longer ones in steps of an eighth of a doubling


def length_code(terms: int) -> int:
    """The six-bit code of a number of terms."""
    if terms < _EXACT:
        return terms
    return min(LENGTH_CODES - 1, _EXACT + round(8 * math.log2(terms / _EXACT)))


def code_length(code: int) -> float:
    """About the number of terms that a code stands for."""
    return float(code) if code < _EXACT else _EXACT * 2 ** ((code - _EXACT) / 8)


def keys_for(session: Session, space_key: int, drafts: Sequence[ChunkDraft]) -> list[int]:
    """Rising keys for new chunks."""
    if not drafts:
        return []
    found = session.fetch(SQL["last_key"], {"space_key": space_key})
    return keys_from(int(found[0][0]) // LENGTH_CODES + 1, drafts)


def keys_from(number: int, drafts: Sequence[ChunkDraft]) -> list[int]:
    return [(number + at) * LENGTH_CODES + length_code(len(draft.terms)) for at, draft in enumerate(drafts)]


def insert(session: Session, owner: tuple[int, int], keys: Sequence[int], drafts: Sequence[ChunkDraft]) -> None:
    """Writes the chunks of a message, by its space's key and its own."""
    space_key, message_key = owner
    for values in columns(keys, drafts):
        session.execute(SQL["insert"], values | {"space_key": space_key, "message_key": message_key})


def columns(keys: Sequence[int], drafts: Sequence[ChunkDraft]) -> list[dict[str, int | str | None]]:
    """The own columns of a message's chunks."""
    return [
        {
            "chunk_key": key,
            "part": part,
            "kind": draft.kind,
            "language": draft.language,
            "start": draft.start,
            "stop": draft.stop,
            "tokens": draft.tokens,
            "terms": len(draft.terms),
        }
        for part, (key, draft) in enumerate(zip(keys, drafts, strict=True))
    ]


def index(
    session: Session,
    scope: tuple[int, int],
    keys: Sequence[int],
    terms: Sequence[Sequence[str]],
) -> None:
    """Writes full-text rows for chunks that have none, each term marked with its space, each row with its
    conversation."""
    for key, words in zip(keys, terms, strict=True):
        session.execute(
            SQL["index"], {"space_key": scope[0], "chunk_key": key, "terms": " ".join(marked(scope, words))}
        )


def marked(scope: tuple[int, int], words: Sequence[str]) -> list[str]:
    """A chunk's terms as the index has them: each with its space, its frequency, and one for the conversation."""
    space_key, conversation_key = scope
    return [scope_term(conversation_key), *(f"{space_key}{term}" for term in frequent(words))]


def frequent(words: Sequence[str]) -> list[str]:
    """A chunk's terms, each once, and once more for every frequency that it reaches."""
    terms = list(set(words))
    if len(terms) < len(words):
        for often in FREQUENCIES:
            terms += [f"{often}{word}" for word, count in Counter(words).items() if count >= often]
    return terms


def scope_term(conversation_key: int) -> str:
    return f"c{conversation_key}"


def remove(session: Session, space_key: int, first: int | None, last: int | None) -> None:
    """Removes a message's chunks and their full-text rows."""
    if first is None:
        return
    scope = {"space_key": space_key, "first_chunk": first, "last_chunk": last}
    for row in session.fetch(SQL["of_message"], scope):
        session.execute(SQL["unindex"], {"space_key": space_key, "chunk_key": row[0]})
    session.execute(SQL["delete"], scope)

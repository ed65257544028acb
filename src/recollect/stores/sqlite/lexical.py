"""Full-text search in SQLite: postings from FTS5, BM25 over the space's own statistics.

A term carries its space, so a search reads one space's postings however large the file is, and rarity is rarity in
that space.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from recollect.models import Job, Ranked
from recollect.stores import queries
from recollect.stores.sqlite import chunks, conversations, jobs, spaces
from recollect.stores.sqlite.database import Database, fetch
from recollect.text.terms import index_terms

SQL = queries.named("sqlite", "chunks")
CHECK = queries.named("sqlite", "check")
VECTORS = queries.named("sqlite", "vectors")
SPACES = queries.named("sqlite", "spaces")

K1 = 1.2
B = 0.75
LENGTHS = np.array([chunks.code_length(code) for code in range(chunks.LENGTH_CODES)])
LAST_CHARACTER = "\U0010ffff"

Keys = NDArray[np.int64]


class SqliteLexical:
    def __init__(self, database: Database) -> None:
        self._database = database

    def search(self, space: str, conversation: str | None, terms: Sequence[str], limit: int) -> list[Ranked]:
        with self._database.read() as connection:
            space_key = spaces.key_of(connection, space)
            if space_key is None:
                return []
            total, words = fetch(connection, SPACES["statistics"], {"space_key": space_key})[0]
            lists = [_occurrences(connection, space_key, term) for term in terms]
            inside = None
            if conversation is not None:
                keys = conversations.keys_of(connection, space, conversation)
                inside = _postings(connection, chunks.scope_term(keys[1])) if keys else np.empty(0, np.int64)
        found, scores = bm25(lists, max(1, total), words / max(1, total))
        if inside is not None:
            kept = np.isin(found, inside)
            found, scores = found[kept], scores[kept]
        best = np.lexsort((found, -scores))[:limit]
        return [Ranked(int(found[at]), float(scores[at])) for at in best]

    def index(self, claimed: Sequence[Job]) -> None:
        def work(connection: apsw.Connection) -> None:
            for job in claimed:
                _index(connection, jobs.message_of(job))

        self._database.write(work)


def bm25(lists: Sequence[Keys], total: int, average: float) -> tuple[Keys, NDArray[np.float64]]:
    """The documents on any of the lists, and their scores. A document stands on a list once for each occurrence."""
    documents: list[Keys] = []
    scores: list[NDArray[np.float64]] = []
    for postings in lists:
        document, frequency = np.unique(postings, return_counts=True)
        rarity = np.log1p((total - len(document) + 0.5) / (len(document) + 0.5)) if len(document) else 0.0
        length = LENGTHS[document % chunks.LENGTH_CODES] / max(average, 1.0)
        documents.append(document)
        scores.append(max(rarity, 0.0) * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length)))
    if not documents:
        return np.empty(0, np.int64), np.empty(0)
    found, where = np.unique(np.concatenate(documents), return_inverse=True)
    return found, np.bincount(where, np.concatenate(scores), len(found)).astype(np.float64)


def _occurrences(connection: apsw.Connection, space_key: int, term: str) -> Keys:
    """The documents that have a term, each as often as it is said to have it: once, twice or four times."""
    once, twice, often = (_postings(connection, f"{space_key}{mark}{term}") for mark in ("", *chunks.FREQUENCIES))
    return np.concatenate([once, twice, often, often])


def _postings(connection: apsw.Connection, term: str) -> Keys:
    if term.endswith("*"):
        values = {"term": term[:-1], "stop": term[:-1] + LAST_CHARACTER}
        found = fetch(connection, SQL["postings_from"], values)
    else:
        found = fetch(connection, SQL["postings"], {"term": term})
    return np.fromiter((row[0] for row in found), np.int64, len(found))


def _index(connection: apsw.Connection, message_key: int) -> None:
    for row in fetch(connection, VECTORS["owner"], {"message_key": message_key}):
        space_key, conversation_key, first, last, text = row
        scope = {"first_chunk": first, "last_chunk": last}
        for key, _, _, _, start, stop, _, _ in fetch(connection, SQL["of_message"], scope):
            if not fetch(connection, CHECK["has_terms"], {"chunk_key": key}):
                chunks.index(connection, (space_key, conversation_key), [key], [index_terms(text[start:stop])])

"""Full-text search: postings from FTS5.

A term carries its space, so a search reads one space's postings however large the file is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.models import Job
from recollect.records import Postings
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import chunks, jobs, spaces
from recollect.text.terms import index_terms

SQL = queries.named("chunks")
CHECK = queries.named("check")
VECTORS = queries.named("vectors")

LENGTHS = np.array([chunks.code_length(code) for code in range(chunks.LENGTH_CODES)])
LAST_CHARACTER = "\U0010ffff"

Keys = NDArray[np.int64]


class Lexical:
    def __init__(self, database: Database) -> None:
        self._database = database

    def postings(self, space: str, terms: Sequence[str]) -> list[Postings]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            marked = [f"{space_key}{mark}{term}" for term in terms for mark in ("", *chunks.FREQUENCIES)]
            found = _postings(session, marked)
        return [_found(*found[at : at + 3]) for at in range(0, len(found), 3)]

    def having(self, space: str, terms: Sequence[str]) -> list[Keys]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            return _postings(session, [f"{space_key}{term}" for term in terms])

    def index(self, claimed: Sequence[Job]) -> None:
        def work(session: Session) -> None:
            for job in claimed:
                _index(session, jobs.target_of(job))

        self._database.write(work, *(job.space for job in claimed))


def _found(once: Keys, twice: Keys, often: Keys) -> Postings:
    """The chunks that have a term, each said to have it once, twice or four times."""
    found, frequency = np.unique(np.concatenate([once, twice, often, often]), return_counts=True)
    return Postings(found, frequency.astype(np.float64), LENGTHS[found % chunks.LENGTH_CODES])


def _postings(session: Session, terms: Sequence[str]) -> list[Keys]:
    begun = [{"term": term[:-1], "stop": term[:-1] + LAST_CHARACTER} for term in terms if term.endswith("*")]
    whole = [term for term in terms if not term.endswith("*")]
    exact = iter(session.fetch(SQL["postings"], {"terms": json.dumps(whole)}) if whole else [])
    by_prefix = (row for rows in session.fetch_each(SQL["postings_from"], begun) for row in rows)
    found = [next(by_prefix if term.endswith("*") else exact) for term in terms]
    return [np.fromstring(row[0] or "", np.int64, sep=",") for row in found]  # one text is read far faster than rows


def _index(session: Session, message_key: int) -> None:
    for row in session.fetch(VECTORS["owner"], {"message_key": message_key}):
        space_key, conversation_key, first, last, text = row
        scope = {"space_key": space_key, "first_chunk": first, "last_chunk": last}
        for key, _, _, _, start, stop, _, _ in session.fetch(SQL["of_message"], scope):
            if not session.fetch(CHECK["has_terms"], {"space_key": space_key, "chunk_key": key}):
                chunks.index(session, (space_key, conversation_key), [key], [index_terms(text[start:stop])])

"""Full-text search: reads the postings of terms.

A term starts with its space, so its postings and its document frequency belong to one space: 1.8 ms in a file of a
hundred spaces, against 33 ms with a separate scope term. The length of a chunk is six bits of its key, and a
frequency of two or four is its own term, so the index needs no positions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import Postings
from aforesaid.models.job import Job
from aforesaid.storage import queries
from aforesaid.storage.database import Session, Values
from aforesaid.storage.queries import QueryFile
from aforesaid.storage.repositories import chunks, jobs
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.space_keys import ConversationKeys
from aforesaid.text.analyzer import index_terms

SQL = queries.named("chunks")
CHECK = queries.named("check")
MESSAGES = queries.named("messages")

LAST_CHARACTER = "\U0010ffff"

Keys = NDArray[np.int64]
NO_KEYS: Keys = np.empty(0, np.int64)


class Lexical(Repository):
    def postings(self, space: str, terms: Sequence[str]) -> list[Postings]:
        """Returns where each term occurs in the space. A term that ends in `*` matches by prefix."""
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            forms = [[f"{space_key}{mark}{term}" for mark in ("", *chunks.FREQUENCIES)] for term in terms]
            whole = [marked for marked in forms if not marked[0].endswith("*")]
            exact = iter(session.fetch(SQL["frequencies"], {"terms": json.dumps(whole)}) if whole else [])
            return [
                _merged(*fetch_postings(session, SQL, marked))
                if marked[0].endswith("*")
                else _merged(*map(parse_keys, next(exact)))
                for marked in forms
            ]

    def having(self, space: str, terms: Sequence[str]) -> list[Keys]:
        """Returns the chunks of the space that contain each term."""
        with self._database.read(space) as session:
            space_key = session.key_of(space)
            return fetch_postings(session, SQL, [f"{space_key}{term}" for term in terms])

    def index(self, claimed: Sequence[Job]) -> None:
        """Writes the full-text rows of messages that could not be indexed when they were added."""

        def work(session: Session) -> None:
            for job in claimed:
                _index(session, jobs.target_of(job))

        self._database.write(work, *(job.space for job in claimed))


def _merged(once: Keys, twice: Keys, often: Keys) -> Postings:
    """The chunks that contain a term, with the frequency once, twice or four times."""
    if not len(twice) and _increases(once):
        return Postings(once, np.ones(len(once)), chunks.LENGTHS[once % chunks.LENGTH_CODES])
    if not _increases(once):
        once = np.unique(once)
    frequency = np.ones(len(once))
    frequency[np.searchsorted(once, twice)] = 2.0
    frequency[np.searchsorted(once, often)] = 4.0
    return Postings(once, frequency, chunks.LENGTHS[once % chunks.LENGTH_CODES])


def distinct(keys: Keys) -> Keys:
    """The different keys, in order."""
    return keys if _increases(keys) else np.unique(keys)


def _increases(keys: Keys) -> bool:
    return len(keys) < 2 or bool((keys[1:] > keys[:-1]).all())


def fetch_postings(session: Session, sql: QueryFile, terms: Sequence[str], values: Values | None = None) -> list[Keys]:
    """Returns the keys of the chunks, or of the notes, that contain each term."""
    fixed = dict(values or {})
    prefixes = [fixed | {"term": term[:-1], "stop": term[:-1] + LAST_CHARACTER} for term in terms if term.endswith("*")]
    whole = [term for term in terms if not term.endswith("*")]
    exact = iter(session.fetch(sql["postings"], fixed | {"terms": json.dumps(whole)}) if whole else [])
    by_prefix = (row for rows in session.fetch_each(sql["postings_from"], prefixes) for row in rows)
    rows = [next(by_prefix if term.endswith("*") else exact) for term in terms]
    return [parse_keys(keys) for (keys,) in rows]


def parse_keys(text: str | None) -> Keys:
    return np.fromstring(text, np.int64, sep=",") if text else NO_KEYS  # one text is read far faster than many rows


def _index(session: Session, message_key: int) -> None:
    for owner in session.fetch(MESSAGES["by_key"], {"message_key": message_key}):
        keys = ConversationKeys(owner.space_key, owner.conversation_key)
        scope = {"space_key": keys.space_key, "first_chunk": owner.first_chunk, "last_chunk": owner.last_chunk}
        for row in session.fetch(SQL["of_message"], scope):
            index_chunk(session, keys, row.chunk_key, owner.text[row.start : row.stop])


def index_chunk(session: Session, owner: ConversationKeys, key: int, text: str) -> bool:
    """Writes the full-text row of a chunk. Returns False if it has one."""
    if session.fetch(CHECK["has_terms"], {"space_key": owner.space_key, "chunk_key": key}):
        return False
    chunks.index(session, owner, [key], [index_terms(text)])
    return True

"""Brings the full-text index in line with the log, a slice at a time so that writers hardly wait."""

from __future__ import annotations

from functools import partial

from recollect.ports import Progress
from recollect.stores import queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import chunks
from recollect.text.terms import index_terms

SQL = queries.named("check")
CHUNKS = queries.named("chunks")
SLICE = 500


class Reindex:
    def __init__(self, database: Database, progress: Progress) -> None:
        self._database = database
        self._progress = progress

    def look(self) -> tuple[int, str]:
        with self._database.read() as session:
            missing = int(session.fetch(SQL["missing_terms"])[0][0])
            orphans = int(session.fetch(SQL["orphan_terms"])[0][0])
        return missing + orphans, f"{missing} chunks are not indexed, {orphans} index rows have no chunk"

    def rebuild(self) -> None:
        """Throws the index away and makes it anew from the log."""

        def work(session: Session) -> None:
            session.make_derived(["chunk_terms"])

        self._database.write(work, alone=True)
        self.fill()

    def fill(self) -> None:
        """Adds the rows that are missing and removes those whose chunk is gone."""
        total, done, after = self.look()[0], 0, 0
        while True:
            after, added = self._database.write(partial(_fill, after=after), alone=True)
            done += added
            self._progress(min(done, total), total)
            if after < 0:
                break
        while self._database.write(_remove_orphans, alone=True):
            pass


def _fill(session: Session, after: int) -> tuple[int, int]:
    found = session.fetch(SQL["next_chunks"], {"after": after, "limit": SLICE})
    added = sum(_index(session, row) for row in found)
    return (found[-1][0] if found else -1), added


def _index(session: Session, row: Row) -> int:
    key, _, start, stop, space_key, conversation_key, role, text = row
    if role == "system" or session.fetch(SQL["has_terms"], {"space_key": space_key, "chunk_key": key}):
        return 0
    chunks.index(session, (space_key, conversation_key), [key], [index_terms(text[start:stop])])
    return 1


def _remove_orphans(session: Session) -> int:
    found = session.fetch(SQL["orphan_term_keys"], {"limit": SLICE})
    for space_key, key in found:
        session.execute(CHUNKS["unindex"], {"space_key": space_key, "chunk_key": key})
    return len(found)

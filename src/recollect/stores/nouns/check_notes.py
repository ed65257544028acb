"""Compares notes with the records they stand for, and their terms and vectors with the notes."""

from __future__ import annotations

from datetime import datetime

from recollect.ids import microseconds
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import episode_notes, fact_notes, jobs, notes

SQL = queries.named("check")
TABLES = ("note_terms", "note_vectors")
RECORDS = ("pins", "summaries")  # whose notes can be made in SQL
EVERYTHING = {"limit": -1}


class NoteCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables(TABLES)
        return len(missing), f"missing: {', '.join(missing)}"

    def rebuild(self) -> None:
        """Throws the full-text rows of notes away and makes them anew; makes the table of vectors where it is gone."""

        def work(session: Session) -> None:
            session.make_derived(["note_terms"])
            index_missing(session)

        self._database.write(work, alone=True)

    def look_records(self) -> tuple[int, str]:
        with self._database.read() as session:
            strays = len(session.fetch(SQL["stray_notes"]))
            missing = sum(int(session.fetch(SQL[f"{record}_without_note"])[0][0]) for record in RECORDS)
            missing += len(session.fetch(SQL["unnoted_facts"])) + len(session.fetch(SQL["unnoted_episodes"]))
        return strays + missing, f"{missing} records have no note, {strays} notes differ from their record"

    def mend_records(self) -> None:
        def work(session: Session) -> None:
            notes.remove_keys(session, [key for (key,) in session.fetch(SQL["stray_notes"])])
            for record in RECORDS:
                session.execute(SQL[f"note_{record}"])
            for space_key, fact_key in session.fetch(SQL["unnoted_facts"]):
                fact_notes.note(session, space_key, fact_key)
            for space_key, episode_key in session.fetch(SQL["unnoted_episodes"]):
                episode_notes.note(session, space_key, episode_key)
            index_missing(session)

        self._database.write(work, alone=True)

    def look_rows(self) -> tuple[int, str]:
        with self._database.read() as session:
            names = ("unindexed_notes", "orphan_note_terms", "unembedded_notes", "orphan_note_vectors")
            bare, terms, blind, vectors = (len(session.fetch(SQL[name], EVERYTHING)) for name in names)
        said = f"{bare} notes have no terms, {blind} no vector and no job; {terms} terms, {vectors} vectors no note"
        return bare + terms + blind + vectors, said

    def mend_rows(self) -> None:
        def work(session: Session) -> None:
            index_missing(session)
            for (key,) in session.fetch(SQL["orphan_note_terms"], EVERYTHING):
                session.execute(notes.SQL["unindex"], {"note_key": key})
            for (key,) in session.fetch(SQL["orphan_note_vectors"], EVERYTHING):
                session.execute(notes.SQL["remove_vectors"], {"note_key": key})
            for key, space_key in session.fetch(SQL["unembedded_notes"], EVERYTHING):
                jobs.insert(session, "note", space_key, key, microseconds(self._at))

        self._database.write(work, alone=True)


def index_missing(session: Session) -> None:
    """Makes the full-text rows of the notes that have none."""
    for key, space_key, text in session.fetch(SQL["unindexed_notes"], EVERYTHING):
        notes.index(session, space_key, key, text)

"""Compares notes with the records they stand for, and their terms and vectors with the notes."""

from __future__ import annotations

from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.stores import queries
from recollect.stores.nouns import episode_notes, fact_notes, jobs, notes
from recollect.stores.sqlite import migrate
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "check")
TABLES = ("note_terms", "note_postings", "note_vectors")
RECORDS = ("pins", "summaries")  # whose notes can be made in SQL
EVERYTHING = {"limit": -1}


class NoteCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        def work(connection: apsw.Connection) -> list[str]:
            present = {row[0] for row in fetch(connection, SQL["tables"])}
            missing = [name for name in TABLES if name not in present]
            if not missing:
                connection.execute("INSERT INTO note_terms (note_terms) VALUES ('integrity-check')")
            return missing

        missing = self._database.write(work)
        return len(missing), f"missing: {', '.join(missing)}"

    def rebuild(self) -> None:
        """Throws the full-text rows of notes away and makes them anew; makes the table of vectors where it is gone."""

        def work(connection: apsw.Connection) -> None:
            for table in ("note_postings", "note_terms"):
                migrate.run_script(connection, f"DROP TABLE IF EXISTS {table}")
            migrate.make_derived(connection)
            index_missing(connection)

        self._database.write(work)

    def look_records(self) -> tuple[int, str]:
        with self._database.read() as connection:
            strays = len(fetch(connection, SQL["stray_notes"]))
            missing = sum(int(fetch(connection, SQL[f"{record}_without_note"])[0][0]) for record in RECORDS)
            missing += len(fetch(connection, SQL["unnoted_facts"])) + len(fetch(connection, SQL["unnoted_episodes"]))
        return strays + missing, f"{missing} records have no note, {strays} notes differ from their record"

    def mend_records(self) -> None:
        def work(connection: apsw.Connection) -> None:
            notes.remove_keys(connection, [key for (key,) in fetch(connection, SQL["stray_notes"])])
            for record in RECORDS:
                connection.execute(SQL[f"note_{record}"])
            for space_key, fact_key in fetch(connection, SQL["unnoted_facts"]):
                fact_notes.note(connection, space_key, fact_key)
            for space_key, episode_key in fetch(connection, SQL["unnoted_episodes"]):
                episode_notes.note(connection, space_key, episode_key)
            index_missing(connection)

        self._database.write(work)

    def look_rows(self) -> tuple[int, str]:
        with self._database.read() as connection:
            names = ("unindexed_notes", "orphan_note_terms", "unembedded_notes", "orphan_note_vectors")
            bare, terms, blind, vectors = (len(fetch(connection, SQL[name], EVERYTHING)) for name in names)
        said = f"{bare} notes have no terms, {blind} no vector and no job; {terms} terms, {vectors} vectors no note"
        return bare + terms + blind + vectors, said

    def mend_rows(self) -> None:
        def work(connection: apsw.Connection) -> None:
            index_missing(connection)
            for (key,) in fetch(connection, SQL["orphan_note_terms"], EVERYTHING):
                connection.execute(notes.SQL["unindex"], {"note_key": key})
            for (key,) in fetch(connection, SQL["orphan_note_vectors"], EVERYTHING):
                connection.execute(notes.SQL["remove_vectors"], {"note_key": key})
            for key, space_key in fetch(connection, SQL["unembedded_notes"], EVERYTHING):
                jobs.insert(connection, "note", space_key, key, microseconds(self._at))

        self._database.write(work)


def index_missing(connection: apsw.Connection) -> None:
    """Makes the full-text rows of the notes that have none."""
    for key, space_key, text in fetch(connection, SQL["unindexed_notes"], EVERYTHING):
        notes.index(connection, space_key, key, text)

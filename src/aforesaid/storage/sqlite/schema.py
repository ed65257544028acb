"""The schema of a SQLite file."""

from __future__ import annotations

import apsw

APPLICATION_ID = 0x61666F72  # "afor": marks a file as aforesaid's
FULL_TEXT = {"chunk_terms": "chunk_postings", "note_terms": "note_postings"}  # each with the view of its postings


class SqliteSchema:
    engine = "sqlite"

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def transaction(self) -> apsw.Connection:
        """A savepoint; the caller's transaction excludes other processes."""
        return self._connection

    def version(self) -> int:
        if not self.has_table("migrations"):
            return 0
        return int(self._connection.execute("SELECT coalesce(max(version), 0) FROM migrations").get)

    def run_script(self, sql: str) -> None:
        self._connection.execute(sql).fetchall()

    def record(self, version: int, name: str, at: int) -> None:
        self._connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (version, name, at))
        self._connection.pragma("application_id", APPLICATION_ID)

    def has_table(self, name: str) -> bool:
        """For a full-text table, also the view of its postings."""
        names = (name, FULL_TEXT.get(name, name))
        rows = self._connection.execute("SELECT name FROM sqlite_master WHERE name IN (?, ?)", names).fetchall()
        return len(rows) == len(set(names))

    def drop_full_text(self, name: str) -> None:
        for table in (FULL_TEXT[name], name):
            self.run_script(f"DROP TABLE IF EXISTS {table}")

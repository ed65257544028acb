"""The schema of a PostgreSQL database.

Row-level security covers every table except the two full-text tables: PostgreSQL uses no index for `@@` behind a
policy. Those two are read through functions of the owner that check the space. Functions of the owner resolve names
in the schema before pg_temp, so a session cannot replace a table by a view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection

from aforesaid.storage.database import Row, scalar

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' migrations', 0))"
# Reads the catalog itself: after the wait for the lock, the cache behind `to_regclass` may be stale.
EXISTS = "SELECT 1 FROM pg_class WHERE relname = 'migrations' AND pg_table_is_visible(oid)"


class PostgresSchema:
    engine = "postgres"

    def __init__(self, connection: Connection[Row]) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute("SET LOCAL statement_timeout = 0")  # a migration may take longer than a query
            self._connection.execute("SET LOCAL lock_timeout = 0")
            self._connection.execute(LOCK)
            yield

    def version(self) -> int:
        if not self._connection.execute(EXISTS).fetchall():
            return 0
        return int(scalar(self._connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchall()))

    def run_script(self, sql: str) -> None:
        """Runs statement by statement, as a pipeline requires."""
        for statement in split_script(sql):
            self._connection.execute(statement)

    def record(self, version: int, name: str, at: int) -> None:
        self._connection.execute("INSERT INTO migrations VALUES (%s, %s, %s)", (version, name, at))


def split_script(sql: str) -> list[str]:
    """The statements of a script. A semicolon between two `$$` belongs to a function."""
    statements, quoted = [""], False
    for piece in re.split(r"(\$\$|;[ \t]*(?:--[^\n]*)?\n)", re.sub(r"^--[^\n]*\n", "", sql, flags=re.MULTILINE)):
        if piece == "$$":
            quoted = not quoted
        if piece.startswith(";") and not quoted:
            statements.append("")
        else:
            statements[-1] += piece
    return [statement for statement in statements if statement.strip()]

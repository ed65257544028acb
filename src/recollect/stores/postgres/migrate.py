"""Numbered, forward-only changes of the schema, each applied together with its record in one transaction.

Processes that start at once wait for the one that migrates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from psycopg import Connection

from recollect.errors import SchemaTooNew
from recollect.stores import queries
from recollect.stores.database import Row

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_RECORD = """CREATE TABLE IF NOT EXISTS migrations (
  version bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, applied_at bigint NOT NULL)"""
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' migrations', 0))"


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str


def known() -> list[Migration]:
    """Every migration that this version of recollect ships, in order."""
    found = []
    for file in (files("recollect.stores") / "sql" / "postgres" / "migrations").iterdir():
        match = _FILE.fullmatch(file.name)
        if match:
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    return sorted(found, key=lambda migration: migration.version)


def version(connection: Connection[Row]) -> int:
    """The schema version of the database; 0 for an empty one."""
    if connection.execute("SELECT to_regclass('migrations')").fetchall() == [(None,)]:
        return 0
    return int(connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchall()[0][0])


def needed(connection: Connection[Row], migrations: Sequence[Migration]) -> bool:
    """Whether the database lacks one of `migrations`. Refuses databases of newer versions."""
    present, newest = version(connection), migrations[-1].version
    if present > newest:
        raise SchemaTooNew(
            f"the database has schema version {present}, this recollect knows up to {newest}; "
            "upgrade recollect (`pip install -U recollect`) to open it"
        )
    return present < newest


def apply(connection: Connection[Row], migrations: Sequence[Migration], at: int) -> None:
    """Applies what is missing, all of it or none."""
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")  # meant for questions; a migration may take its time
        connection.execute("SET LOCAL lock_timeout = 0")
        connection.execute(_ALONE)
        connection.execute(_RECORD)  # first: the server may remember from before the wait that there was no such table
        present = version(connection)
        if present >= migrations[-1].version:
            return
        for migration in migrations:
            if migration.version > present:
                run_script(connection, migration.sql)
                values = (migration.version, migration.name, at)
                connection.execute("INSERT INTO migrations VALUES (%s, %s, %s)", values)
        make_derived(connection)


def make_derived(connection: Connection[Row]) -> None:
    """Makes the tables that are rebuilt from the log where they are missing."""
    for file in ("lexical_tables", "vector_tables"):
        run_script(connection, queries.read("postgres", file))


def run_script(connection: Connection[Row], sql: str) -> None:
    """Statement by statement: functions have semicolons of their own, so they are not split where a `$$` is open."""
    for statement in _statements(sql):
        connection.execute(statement)


def _statements(sql: str) -> list[str]:
    found, open_ = [""], False
    for piece in re.split(r"(\$\$|;[ \t]*(?:--[^\n]*)?\n)", re.sub(r"^--[^\n]*\n", "", sql, flags=re.MULTILINE)):
        if piece == "$$":
            open_ = not open_
        if piece.startswith(";") and not open_:
            found.append("")
        else:
            found[-1] += piece
    return [each for each in found if each.strip()]

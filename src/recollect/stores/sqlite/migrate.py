"""Numbered, forward-only changes of the schema, each applied together with its record in one transaction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import apsw

from recollect.errors import SchemaTooNew
from recollect.stores import queries

APPLICATION_ID = 0x7265636F  # "reco": marks a file as recollect's
FULL_TEXT = {"chunk_terms": "chunk_postings", "note_terms": "note_postings"}  # each with the view of its postings

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_RECORD = """CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT"""


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str


def known() -> list[Migration]:
    """Every migration that this version of recollect ships, in order."""
    folder = files("recollect.stores") / "sql" / "sqlite" / "migrations"
    found = []
    for file in folder.iterdir():
        match = _FILE.fullmatch(file.name)
        if match:
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    return sorted(found, key=lambda migration: migration.version)


def version(connection: apsw.Connection) -> int:
    """The schema version of the file; 0 for an empty one."""
    if not has_table(connection, "migrations"):
        return 0
    return int(connection.execute("SELECT coalesce(max(version), 0) FROM migrations").get)


def needed(connection: apsw.Connection, migrations: Sequence[Migration]) -> bool:
    """Whether the file lacks one of `migrations`. Refuses files of newer versions."""
    present = version(connection)
    newest = migrations[-1].version
    if present > newest:
        raise SchemaTooNew(
            f"the file has schema version {present}, this recollect knows up to {newest}; "
            "upgrade recollect (`pip install -U recollect`) to open it"
        )
    return present < newest


def apply(connection: apsw.Connection, migrations: Sequence[Migration], at: int) -> None:
    """Applies what is missing. Call it inside a write transaction: all of it commits, or none."""
    connection.execute(_RECORD)
    present = version(connection)
    for migration in migrations:
        if migration.version > present:
            run_script(connection, migration.sql)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (migration.version, migration.name, at))
    make_derived(connection)
    connection.pragma("application_id", APPLICATION_ID)


def make_derived(connection: apsw.Connection) -> None:
    """Makes the tables that are rebuilt from the log where they are missing."""
    run_script(connection, queries.read("sqlite", "lexical_tables"))
    run_script(connection, queries.read("sqlite", "vector_tables"))


def run_script(connection: apsw.Connection, sql: str) -> None:
    connection.execute(sql).fetchall()


def drop_full_text(connection: apsw.Connection, name: str) -> None:
    for table in (FULL_TEXT[name], name):
        run_script(connection, f"DROP TABLE IF EXISTS {table}")


def has_table(connection: apsw.Connection, name: str) -> bool:
    """With a full-text table, also the view of its postings."""
    if name in FULL_TEXT and not has_table(connection, FULL_TEXT[name]):
        return False
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchall())

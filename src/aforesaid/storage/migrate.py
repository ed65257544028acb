"""Creates and migrates the schema of a store.

`schema/<engine>.sql` is the whole current schema: a new store runs it. `migrations/<engine>/0002_<name>.sql` and the
files after it bring an older store up to date, in order. A change of the schema comes with both. All of it runs in one
transaction: it commits as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Protocol

from aforesaid.errors import SchemaTooNew

FIRST_VERSION = 1  # of the schema that has no migrations yet

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_DERIVED = "-- ## Derived tables"  # the heading of a schema's last section


class SchemaConnection(Protocol):
    """The connection of an engine whose schema is created or migrated."""

    engine: str  # the name of its files

    def transaction(self) -> AbstractContextManager[object]:
        """Only one process at a time is inside."""

    def version(self) -> int:
        """The version of the store's schema; 0 if the store is empty."""

    def run_script(self, sql: str) -> None: ...
    def record(self, version: int, name: str, at: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str


@cache
def known(engine: str) -> tuple[Migration, ...]:
    """The migrations that this version of aforesaid ships, in order."""
    folder = files("aforesaid.storage") / "migrations" / engine
    scripts = [file for file in folder.iterdir() if _FILE.fullmatch(file.name)] if folder.is_dir() else []
    return tuple(
        Migration(int(script.name[:4]), script.name[5:-4], script.read_text(encoding="utf-8"))
        for script in sorted(scripts, key=lambda script: script.name)
    )


@cache
def schema(engine: str) -> str:
    return (files("aforesaid.storage") / "schema" / f"{engine}.sql").read_text(encoding="utf-8")


def newest(migrations: Sequence[Migration]) -> int:
    """The version of the current schema."""
    return migrations[-1].version if migrations else FIRST_VERSION


def needed(present: int, migrations: Sequence[Migration]) -> bool:
    """Returns True if a schema of version `present` is not current. Raises SchemaTooNew if it is newer than that."""
    if present > newest(migrations):
        raise SchemaTooNew(
            f"the store has schema version {present}, this aforesaid knows up to {newest(migrations)}; "
            "upgrade aforesaid (`pip install -U aforesaid`) to open it"
        )
    return present < newest(migrations)


def apply(connection: SchemaConnection, migrations: Sequence[Migration], at: int) -> None:
    """Creates the schema of an empty store, or applies the migrations that it lacks."""
    with connection.transaction():
        present = connection.version()
        if not present:
            connection.run_script(schema(connection.engine))
            connection.record(newest(migrations), "schema", at)
        elif needed(present, migrations):
            for migration in migrations:
                if migration.version > present:
                    connection.run_script(migration.sql)
                    connection.record(migration.version, migration.name, at)
            create_derived_tables(connection)


def create_derived_tables(connection: SchemaConnection) -> None:
    """Creates the missing ones of the tables that are rebuilt from the others."""
    _, _, section = schema(connection.engine).partition(_DERIVED)
    connection.run_script(_DERIVED + section)

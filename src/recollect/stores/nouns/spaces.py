"""Spaces in SQLite."""

from __future__ import annotations

from datetime import datetime

import apsw

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import SpaceInfo
from recollect.records import Revision
from recollect.stores import queries, rows
from recollect.stores.nouns import erase
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "spaces")


def key_of(connection: apsw.Connection, space: str) -> int | None:
    found = fetch(connection, SQL["key"], {"space": space})
    return int(found[0][0]) if found else None


def key_or_make(connection: apsw.Connection, space: str, at: datetime) -> int:
    key = key_of(connection, space)
    if key is not None:
        return key
    made = fetch(connection, SQL["make"], {"space": space, "at": microseconds(at)})
    return int(made[0][0])


def key_needed(connection: apsw.Connection, space: str) -> int:
    key = key_of(connection, space)
    if key is None:
        raise NotFound(f"there is no space {space!r}; it was deleted meanwhile")
    return key


def revision(connection: apsw.Connection, space: str) -> Revision | None:
    found = fetch(connection, SQL["revision"], {"space": space})
    return (int(found[0][0]), int(found[0][1])) if found else None


class SqliteSpaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, space: str, at: datetime) -> None:
        self._database.write(lambda connection: key_or_make(connection, space, at))

    def list(self, limit: int, after: str | None) -> list[SpaceInfo]:
        with self._database.read() as connection:
            start = 0 if after is None else key_of(connection, after)
            if start is None:
                raise NotFound(f"there is no space {after!r} to go on after; start the list again")
            found = fetch(connection, SQL["list"], {"after": start, "limit": limit})
        return [_info(row) for row in found]

    def get(self, space: str) -> SpaceInfo | None:
        found = self._database.query(SQL["get"], {"space": space})
        return _info(found[0]) if found else None

    def revision(self, space: str) -> Revision | None:
        with self._database.read() as connection:
            return revision(connection, space)

    def delete(self, space: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            key = key_of(connection, space)
            if key is None:
                return False
            erase.space(connection, key)
            return True

        return self._database.write(work)


def _info(row: Row) -> SpaceInfo:
    return SpaceInfo(row[0], int(row[2]), int(row[3]), rows.moment(row[1]))

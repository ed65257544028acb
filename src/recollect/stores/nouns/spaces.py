"""Spaces."""

from __future__ import annotations

from datetime import datetime

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import SpaceInfo
from recollect.records import Revision
from recollect.stores import queries, rows
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import erase
from recollect.text import accept

SQL = queries.named("spaces")


def key_of(session: Session, space: str) -> int | None:
    return session.key_of(space)


def key_or_make(session: Session, space: str, at: datetime) -> int:
    key = key_of(session, space)
    return make(session, space, at) if key is None else key


def make(session: Session, space: str, at: datetime) -> int:
    made = session.fetch(SQL["make"], {"space": accept.new_place(space, "space"), "at": microseconds(at)})
    return int(made[0][0])


def key_needed(session: Session, space: str) -> int:
    key = key_of(session, space)
    if key is None:
        raise NotFound(f"there is no space {space!r}; it was deleted meanwhile")
    return key


def revision(session: Session, space: str) -> Revision | None:
    found = session.fetch(SQL["revision"], {"space": space})
    return (int(found[0][0]), int(found[0][1])) if found else None


class Spaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, space: str, at: datetime) -> None:
        self._database.write(lambda session: key_or_make(session, space, at), space)

    def list(self, limit: int, after: str | None) -> list[SpaceInfo]:
        with self._database.read() as session:
            start = 0 if after is None else key_of(session, after)
            if start is None:
                raise NotFound(f"there is no space {after!r} to go on after; start the list again")
            found = session.fetch(SQL["list"], {"after": start, "limit": limit})
        return [_info(row) for row in found]

    def get(self, space: str) -> SpaceInfo | None:
        found = self._database.query(SQL["get"], {"space": space}, space)
        return _info(found[0]) if found else None

    def revision(self, space: str) -> Revision | None:
        with self._database.read(space) as session:
            return revision(session, space)

    def delete(self, space: str) -> bool:
        def work(session: Session) -> bool:
            key = key_of(session, space)
            if key is None:
                return False
            erase.space(session, key)
            return True

        return self._database.write(work, space)


def _info(row: Row) -> SpaceInfo:
    return SpaceInfo(row[0], int(row[2]), int(row[3]), rows.moment(row[1]))

"""The stored settings of a space."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from aforesaid.ids import microseconds
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.database import Database, Row, Session
from aforesaid.storage.repositories import space_keys
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("preferences")

MAX_CACHED = 10_000  # spaces whose preferences are cached


def stored(session: Session, space: str) -> dict[str, Json]:
    return _preferences_from_rows(session.fetch(SQL["all"], {"space": space}))


def _preferences_from_rows(rows: Iterable[Row]) -> dict[str, Json]:
    return {row.name: json.loads(row.value) for row in rows}


class Preferences(Repository):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._seen: dict[str, Mapping[str, Json]] = {}

    def all(self, space: str) -> Mapping[str, Json]:
        preferences = _preferences_from_rows(self._database.query(SQL["all"], {"space": space}, space))
        if len(self._seen) >= MAX_CACHED:
            self._seen.clear()
        self._seen[space] = preferences
        return preferences

    def seen(self, space: str) -> Mapping[str, Json] | None:
        """Returns the preferences as this process read them last; None if it never did."""
        return self._seen.get(space)

    @transaction()
    def set(self, session: Session, space: str, name: str, value: Json, at: datetime) -> None:
        key = space_keys.key_or_create(session, space, at)
        values = {"space_key": key, "name": name, "value": json.dumps(value), "at": microseconds(at)}
        session.execute(SQL["set"], values)

    @transaction()
    def unset(self, session: Session, space: str, name: str) -> bool:
        return bool(session.changed(SQL["unset"], {"space": space, "name": name}))

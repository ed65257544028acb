"""A space's stored preferences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Json
from recollect.stores import queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import spaces

SQL = queries.named("preferences")

SEEN = 10_000  # spaces whose preferences are kept in mind


def stored(rows: Iterable[Row]) -> dict[str, Json]:
    return {name: json.loads(value) for name, value in rows}


class Preferences:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: dict[str, Mapping[str, Json]] = {}

    def all(self, space: str) -> Mapping[str, Json]:
        found = stored(self._database.query(SQL["all"], {"space": space}, space))
        if self._database.far:
            if len(self._seen) >= SEEN:
                self._seen.clear()
            self._seen[space] = found
        return found

    def seen(self, space: str) -> Mapping[str, Json] | None:
        return self._seen.get(space)

    def set(self, space: str, name: str, value: Json, at: datetime) -> None:
        def work(session: Session) -> None:
            key = spaces.key_or_make(session, space, at)
            values = {"space_key": key, "name": name, "value": json.dumps(value), "at": microseconds(at)}
            session.execute(SQL["set"], values)

        self._database.write(work, space)

    def unset(self, space: str, name: str) -> bool:
        def work(session: Session) -> bool:
            return bool(session.changed(SQL["unset"], {"space": space, "name": name}))

        return self._database.write(work, space)

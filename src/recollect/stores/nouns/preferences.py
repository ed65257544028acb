"""A space's stored preferences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Json
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import spaces

SQL = queries.named("preferences")


class Preferences:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, space: str) -> Mapping[str, Json]:
        found = self._database.query(SQL["all"], {"space": space}, space)
        return {name: json.loads(value) for name, value in found}

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

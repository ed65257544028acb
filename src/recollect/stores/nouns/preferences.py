"""A space's stored preferences in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import Json
from recollect.stores import queries
from recollect.stores.nouns import spaces
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "preferences")


class SqlitePreferences:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, space: str) -> Mapping[str, Json]:
        found = self._database.query(SQL["all"], {"space": space})
        return {name: json.loads(value) for name, value in found}

    def set(self, space: str, name: str, value: Json, at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            key = spaces.key_or_make(connection, space, at)
            values = {"space_key": key, "name": name, "value": json.dumps(value), "at": microseconds(at)}
            connection.execute(SQL["set"], values)

        self._database.write(work)

    def unset(self, space: str, name: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            connection.execute(SQL["unset"], {"space": space, "name": name})
            return bool(connection.changes())

        return self._database.write(work)

"""A space's stored preferences in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

import apsw

from recollect.ids import microseconds
from recollect.models import Json
from recollect.ports import Clock
from recollect.stores import queries
from recollect.stores.sqlite import spaces
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "preferences")


KEPT_FOR = timedelta(seconds=1)  # how long another process's change may go unnoticed
KEPT_AT_MOST = 1024


class SqlitePreferences:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._kept: dict[str, tuple[datetime, Mapping[str, Json]]] = {}

    def all(self, space: str) -> Mapping[str, Json]:
        now, kept = self._clock(), self._kept.get(space)
        if kept and abs(now - kept[0]) < KEPT_FOR:
            return kept[1]
        found = self._database.query(SQL["all"], {"space": space})
        stored = {name: json.loads(value) for name, value in found}
        if len(self._kept) >= KEPT_AT_MOST:
            self._kept.clear()
        self._kept[space] = (now, stored)
        return stored

    def set(self, space: str, name: str, value: Json, at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            key = spaces.key_or_make(connection, space, at)
            values = {"space_key": key, "name": name, "value": json.dumps(value), "at": microseconds(at)}
            connection.execute(SQL["set"], values)

        self._database.write(work)
        self._kept.pop(space, None)

    def unset(self, space: str, name: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            connection.execute(SQL["unset"], {"space": space, "name": name})
            return bool(connection.changes())

        changed = self._database.write(work)
        self._kept.pop(space, None)
        return changed

"""API keys: their digests, never the keys."""

from __future__ import annotations

from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Key
from recollect.stores import key_rows, queries
from recollect.stores.database import Database

SQL = queries.named("keys")


class Keys:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: Key, digest: bytes) -> None:
        row = key_rows.columns(key) | {"digest": digest}
        self._database.write(lambda session: session.execute(SQL["add"], row))

    def get(self, id: str) -> tuple[Key, bytes] | None:
        found = self._database.query(SQL["get"], {"id": id})
        return (key_rows.key(found[0][:-1]), found[0][-1]) if found else None

    def list(self) -> list[Key]:
        return [key_rows.key(row) for row in self._database.query(SQL["list"], {})]

    def revoke(self, id: str, at: datetime) -> None:
        row = {"id": id, "at": microseconds(at)}
        self._database.write(lambda session: session.execute(SQL["revoke"], row))

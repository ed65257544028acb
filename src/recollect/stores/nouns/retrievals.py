"""How retrievals went, in SQLite."""

from __future__ import annotations

from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import Retrieval
from recollect.stores import ledger_rows, queries
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "retrievals")

ALWAYS = 2**62  # microseconds; beyond every time that can be written


def add(connection: apsw.Connection, space_key: int, retrieval: Retrieval) -> bool:
    """Whether it was new."""
    connection.execute(SQL["add"], {"space_key": space_key, **ledger_rows.retrieval_columns(retrieval)})
    return bool(connection.changes())


class SqliteRetrievals:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, space: str | None, since: datetime | None, until: datetime | None, limit: int) -> list[Retrieval]:
        window = {
            "since": -ALWAYS if since is None else microseconds(since),
            "until": ALWAYS if until is None else microseconds(until),
            "limit": limit,
        }
        if space is None:
            found = self._database.query(SQL["of_all"], window)
        else:
            found = self._database.query(SQL["of_space"], {"space": space, **window})
        return [ledger_rows.retrieval(row) for row in found]

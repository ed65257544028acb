"""How often messages were handed out, in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import Access
from recollect.stores import ledger_rows, queries
from recollect.stores.nouns import spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "accesses")

PAGE = 1_000  # accesses read at once where all of them are wanted


def add(connection: apsw.Connection, space_key: int, messages: Sequence[str], at: datetime) -> None:
    """Counts one access of each message that is still there."""
    values = {"space_key": space_key, "ids": ledger_rows.written(messages), "at": microseconds(at)}
    connection.execute(SQL["add"], values)


class SqliteAccesses:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, space: str, message_ids: Sequence[str]) -> Mapping[str, Access]:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), "ids": ledger_rows.written(message_ids)}
            return {row[0]: ledger_rows.access(row) for row in fetch(connection, SQL["of"], scope)}

    def counts(self, space: str, keys: Sequence[int]) -> Mapping[int, int]:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), "keys": ledger_rows.written(keys)}
            return dict(fetch(connection, SQL["counts"], scope))

    def all(self, space: str) -> Iterator[Access]:
        after = 0
        while True:
            with self._database.read() as connection:
                scope = {"space_key": spaces.key_of(connection, space), "after": after, "limit": PAGE}
                page = fetch(connection, SQL["after"], scope)
            if not page:
                return
            yield from map(ledger_rows.access, page)
            after = page[-1][3]

    def restore(self, space: str, accesses: Sequence[Access]) -> None:
        def work(connection: apsw.Connection) -> None:
            space_key = spaces.key_of(connection, space)
            for access in accesses:
                values = {"id": access.message_id, "count": access.count, "last_at": microseconds(access.last_at)}
                connection.execute(SQL["restore"], {"space_key": space_key, **values})

        self._database.write(work)

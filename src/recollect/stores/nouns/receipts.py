"""Receipts of contexts, in SQLite."""

from __future__ import annotations

import apsw

from recollect.records import StoredReceipt
from recollect.stores import ledger_rows, queries
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "receipts")


def add(connection: apsw.Connection, space_key: int, receipt: StoredReceipt) -> None:
    connection.execute(SQL["add"], {"space_key": space_key, **ledger_rows.receipt_columns(receipt)})


class SqliteReceipts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, id: str) -> StoredReceipt | None:
        found = self._database.query(SQL["get"], {"id": id})
        return ledger_rows.receipt(found[0]) if found else None

    def list(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        scope: dict[str, str | int] = {"space": space, "limit": limit}
        if conversation is None:
            found = self._database.query(SQL["of_space"], scope)
        else:
            found = self._database.query(SQL["of_conversation"], scope | {"conversation": conversation})
        return [ledger_rows.receipt(row) for row in found]

"""Receipts of contexts."""

from __future__ import annotations

from recollect.records import StoredReceipt
from recollect.stores import ledger_rows, queries
from recollect.stores.database import Database, Session

SQL = queries.named("receipts")


def add(session: Session, space_key: int, receipt: StoredReceipt) -> None:
    session.execute(SQL["add"], {"space_key": space_key, **ledger_rows.receipt_columns(receipt)})


class Receipts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, id: str) -> StoredReceipt | None:
        found = self._database.query(SQL["get"], {"id": id})
        return ledger_rows.receipt(found[0]) if found else None

    def list(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        scope: dict[str, str | int] = {"space": space, "limit": limit}
        if conversation is None:
            found = self._database.query(SQL["of_space"], scope, space)
        else:
            found = self._database.query(SQL["of_conversation"], scope | {"conversation": conversation}, space)
        return [ledger_rows.receipt(row) for row in found]

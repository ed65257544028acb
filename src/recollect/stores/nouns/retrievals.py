"""How retrievals went."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Retrieval
from recollect.stores import ledger_rows, queries
from recollect.stores.database import Database, Session

SQL = queries.named("retrievals")

ALWAYS = 2**62  # microseconds; beyond every time that can be written


def add(session: Session, owned: Sequence[tuple[int, Retrieval]]) -> list[bool]:
    """Writes retrievals, each with the key of its space; says of each whether it was new."""
    rows = [{"space_key": space_key, **ledger_rows.retrieval_columns(one)} for space_key, one in owned]
    return [bool(found) for found in session.fetch_each(SQL["add"], rows)]


class Retrievals:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, space: str | None, since: datetime | None, until: datetime | None, limit: int) -> list[Retrieval]:
        window = {
            "since": -ALWAYS if since is None else microseconds(since),
            "until": ALWAYS if until is None else microseconds(until),
            "limit": limit,
        }
        if space is None:
            found = self._database.query(SQL["of_all"], window, space)
        else:
            found = self._database.query(SQL["of_space"], {"space": space, **window}, space)
        return [ledger_rows.retrieval(row) for row in found]

"""Who did what with a profile, in SQLite. The table itself refuses changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import AuditAction, AuditEntry
from recollect.stores import profile_rows, queries
from recollect.stores.nouns import spaces
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "audit")

ALWAYS = 2**62  # microseconds; beyond every time that can be written


def add(connection: apsw.Connection, space_key: int, entry: AuditEntry) -> None:
    """An entry that is there already stays as it is."""
    connection.execute(SQL["add"], {"space_key": space_key, **profile_rows.audit_columns(entry)})


class SqliteAudit:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, space: str, since: datetime | None, action: AuditAction | None, limit: int) -> list[AuditEntry]:
        first = -ALWAYS if since is None else microseconds(since)
        scope = {"space": space, "since": first, "action": action, "limit": limit}
        return [profile_rows.audit(row) for row in self._database.query(SQL["list"], scope)]

    def restore(self, entries: Sequence[AuditEntry]) -> None:
        def work(connection: apsw.Connection) -> None:
            for entry in entries:
                add(connection, spaces.key_or_make(connection, entry.space, entry.at), entry)

        self._database.write(work)

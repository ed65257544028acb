"""Who did what with a profile. The table itself refuses changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import AuditAction, AuditEntry
from recollect.stores import profile_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import spaces

SQL = queries.named("audit")

ALWAYS = 2**62  # microseconds; beyond every time that can be written


def add(session: Session, space_key: int, entry: AuditEntry) -> None:
    """An entry that is there already stays as it is."""
    session.execute(SQL["add"], {"space_key": space_key, **profile_rows.audit_columns(entry)})


class Audit:
    def __init__(self, database: Database) -> None:
        self._database = database

    def list(
        self,
        space: str,
        since: datetime | None,
        action: AuditAction | None,
        limit: int,
        after: str | None = None,
    ) -> list[AuditEntry]:
        first = -ALWAYS if since is None else microseconds(since)
        with self._database.read(space) as session:
            until, before = (ALWAYS, ALWAYS) if after is None else _place(session, space, after)
            scope = {"space": space, "since": first, "until": until, "before": before, "action": action, "limit": limit}
            return [profile_rows.audit(row) for row in session.fetch(SQL["list"], scope)]

    def restore(self, entries: Sequence[AuditEntry]) -> None:
        def work(session: Session) -> None:
            for entry in entries:
                add(session, spaces.key_or_make(session, entry.space, entry.at), entry)

        self._database.write(work, *(entry.space for entry in entries))


def _place(session: Session, space: str, id: str) -> tuple[int, int]:
    found = session.fetch(SQL["place"], {"space": space, "id": id})
    if not found:
        raise NotFound(f"the audit of space {space!r} has no entry {id!r} to go on after; start the list again")
    return int(found[0][0]), int(found[0][1])

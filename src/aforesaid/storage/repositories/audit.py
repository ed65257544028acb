"""The audit log of profiles: who did what. The table is append-only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from aforesaid.errors import NotFound
from aforesaid.ids import microseconds
from aforesaid.models.profile import AuditAction, AuditEntry
from aforesaid.storage import queries
from aforesaid.storage.columns import NO_LIMIT, from_row, to_columns
from aforesaid.storage.database import Session, first
from aforesaid.storage.repositories import space_keys
from aforesaid.storage.repositories.base import Repository

SQL = queries.named("audit")


def add(session: Session, space_key: int, entry: AuditEntry) -> None:
    """An entry that exists stays as it is."""
    session.execute(SQL["add"], {"space_key": space_key, **to_columns(entry)})


class Audit(Repository):
    def list(
        self, space: str, since: datetime | None, action: AuditAction | None, limit: int, after: str | None = None
    ) -> list[AuditEntry]:
        """Returns the newest first, starting behind `after`. Raises NotFound if `after` is not an entry."""
        start = -NO_LIMIT if since is None else microseconds(since)
        with self._database.read(space) as session:
            until, before = (NO_LIMIT, NO_LIMIT) if after is None else _place(session, space, after)
            scope = {"space": space, "since": start, "until": until, "before": before, "action": action, "limit": limit}
            return [from_row(AuditEntry, row) for row in session.fetch(SQL["list"], scope)]

    def restore(self, entries: Sequence[AuditEntry]) -> None:
        """Writes the entries of another store; an entry that exists stays as it is."""

        def work(session: Session) -> None:
            for entry in entries:
                add(session, space_keys.key_or_create(session, entry.space, entry.at), entry)

        self._database.write(work, *(entry.space for entry in entries))


def _place(session: Session, space: str, id: str) -> tuple[int, int]:
    row = first(session.fetch(SQL["place"], {"space": space, "id": id}))
    if row is None:
        raise NotFound(f"the audit of space {space!r} has no entry {id!r} to continue after; start the list again")
    return row.at, row.audit_key

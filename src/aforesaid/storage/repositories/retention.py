"""Retention: which spaces have something to expire, and holds, which keep a space from every erasure."""

from __future__ import annotations

from aforesaid.ids import microseconds
from aforesaid.models.profile import AuditEntry
from aforesaid.models.space import Hold
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row
from aforesaid.storage.database import Session, first
from aforesaid.storage.repositories import audit, jobs, space_keys
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("retention")


class Retention(Repository):
    def due(self) -> str | None:
        """Returns a space in which something has expired, and which is not on hold."""
        row = first(self._database.query(SQL["due"]))
        return None if row is None else str(row.id)

    def queue(self) -> bool:
        """Queues the job `expire` if it has something to do. Returns True if it has."""
        found = self.due() is not None
        if found:
            at = self._database.clock()
            self._database.write(lambda session: jobs.insert(session, "expire", None, jobs.WHOLE_STORE, at))
        return found

    def hold(self, space: str) -> Hold | None:
        row = first(self._database.query(SQL["hold"], {"space": space}, space))
        return None if row is None else from_row(Hold, row)

    def keeps_expired(self, space: str) -> bool:
        """Returns True if a hold keeps something that has expired."""
        return bool(self._database.query(SQL["kept"], {"space": space}, space))

    @transaction()
    def place(self, session: Session, hold: Hold, entry: AuditEntry | None) -> Hold:
        """Puts a space on hold. A hold that it has stays as it is."""
        key = space_keys.key_or_create(session, hold.space, hold.at)
        for row in session.fetch(SQL["hold"], {"space": hold.space}):
            return from_row(Hold, row)
        values = {"space_key": key, "at": microseconds(hold.at), "by": hold.by, "reason": hold.reason}
        session.execute(SQL["set_hold"], values)
        if entry is not None:
            audit.add(session, key, entry)
        return hold

    @transaction()
    def release(self, session: Session, entry: AuditEntry) -> Hold | None:
        """Ends the hold of a space. Returns it; None if there was none."""
        for row in session.fetch(SQL["hold"], {"space": entry.space}):
            key = space_keys.require_key(session, entry.space)
            session.execute(SQL["set_hold"], {"space_key": key, "at": None, "by": None, "reason": None})
            audit.add(session, key, entry)
            return from_row(Hold, row)
        return None

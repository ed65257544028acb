"""The state of each space when it was last copied to this store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from aforesaid.errors import ConflictError
from aforesaid.models.transfer import CopyRecord
from aforesaid.storage import queries
from aforesaid.storage.database import Session, first, scalar
from aforesaid.storage.repositories import cascade, space_keys
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("copies")


class Copies(Repository):
    def last(self, space: str) -> CopyRecord | None:
        """Returns None for a space that was never copied here."""
        row = first(self._database.query(SQL["get"], {"space": space}, space))
        return CopyRecord(json.loads(row.digests) if row.digests else None) if row else None

    @transaction()
    def begin(self, session: Session, space: str, at: datetime, cursor: int | None, *, anew: bool) -> None:
        """Records that a copy of a space begins, and creates the space: `anew` replaces an existing one. `cursor` is
        that of its last change (None: there is no such space). Raises ConflictError if it has another one by now."""
        key = session.key_of(space)
        newest = None if key is None else int(scalar(session.fetch(SQL["newest"], {"space_key": key})))
        if newest != cursor:
            raise ConflictError(f"another process is writing to the space {space!r}; nothing was replaced", id=space)
        if key is not None and anew:
            cascade.delete_space(session, key)
            key = None
        space_key = space_keys.create(session, space, at) if key is None else key
        session.execute(SQL["put"], {"space_key": space_key, "digests": None})

    @transaction()
    def end(self, session: Session, space: str, digests: Mapping[str, str]) -> None:
        """Records the current state."""
        key = space_keys.require_key(session, space)
        session.execute(SQL["put"], {"space_key": key, "digests": json.dumps(digests, sort_keys=True)})

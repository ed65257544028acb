"""How spaces were when they were last copied here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from recollect.errors import ConflictError
from recollect.records import LastCopy
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import erase, spaces

SQL = queries.named("copies")


class Copies:
    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self, space: str) -> LastCopy | None:
        found = self._database.query(SQL["get"], {"space": space}, space)
        return LastCopy(json.loads(found[0][0]) if found[0][0] else None) if found else None

    def begin(self, space: str, at: datetime, cursor: int | None, *, anew: bool) -> None:
        def work(session: Session) -> None:
            key = spaces.key_of(session, space)
            if (None if key is None else _cursor(session, key)) != cursor:
                raise ConflictError(f"somebody is writing to the space {space!r}; nothing was replaced", id=space)
            if key is not None and anew:
                erase.space(session, key)
                key = None
            made = spaces.make(session, space, at) if key is None else key
            session.execute(SQL["put"], {"space_key": made, "digests": None})

        self._database.write(work, space)

    def end(self, space: str, digests: Mapping[str, str]) -> None:
        def work(session: Session) -> None:
            values = {"space_key": spaces.key_needed(session, space), "digests": json.dumps(digests, sort_keys=True)}
            session.execute(SQL["put"], values)

        self._database.write(work, space)


def _cursor(session: Session, key: int) -> int:
    return int(session.fetch(SQL["newest"], {"space_key": key})[0][0])

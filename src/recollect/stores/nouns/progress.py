"""How far distilling has come."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.records import Revision
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import conversations, spaces

SQL = queries.named("progress")
NOTHING = -1


class Reached:
    def __init__(self, database: Database) -> None:
        self._database = database

    def reached(self, space: str, conversation: str, step: str) -> int:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "step": step}
            found = session.fetch(SQL["reached"], scope)
        return int(found[0][0]) if found else NOTHING

    def all(self, space: str, conversation: str) -> Mapping[str, int]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            return dict(session.fetch(SQL["all"], {"conversation_key": keys[1] if keys else None}))

    def advance(self, space: str, conversation: str, step: str, seq: int, seen: Revision) -> bool:
        def work(session: Session) -> bool:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None or spaces.revision(session, space) != seen:
                return False
            advance(session, keys[1], step, seq)
            return True

        return self._database.write(work, space, durable=False)


def advance(session: Session, conversation_key: int, step: str, seq: int) -> None:
    """A step has read every message up to `seq`. Never goes back."""
    session.execute(SQL["advance"], {"conversation_key": conversation_key, "step": step, "reached": seq})

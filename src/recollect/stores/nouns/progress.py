"""How far distilling has come, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from recollect.records import Revision
from recollect.stores import queries
from recollect.stores.nouns import conversations, spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "progress")
NOTHING = -1


class SqliteProgress:
    def __init__(self, database: Database) -> None:
        self._database = database

    def reached(self, space: str, conversation: str, step: str) -> int:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            scope = {"conversation_key": keys[1] if keys else None, "step": step}
            found = fetch(connection, SQL["reached"], scope)
        return int(found[0][0]) if found else NOTHING

    def all(self, space: str, conversation: str) -> Mapping[str, int]:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            return dict(fetch(connection, SQL["all"], {"conversation_key": keys[1] if keys else None}))

    def advance(self, space: str, conversation: str, step: str, seq: int, seen: Revision) -> bool:
        def work(connection: apsw.Connection) -> bool:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None or spaces.revision(connection, space) != seen:
                return False
            advance(connection, keys[1], step, seq)
            return True

        return self._database.write(work, durable=False)


def advance(connection: apsw.Connection, conversation_key: int, step: str, seq: int) -> None:
    """A step has read every message up to `seq`. Never goes back."""
    connection.execute(SQL["advance"], {"conversation_key": conversation_key, "step": step, "reached": seq})

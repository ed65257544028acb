"""How much a space holds, and what it takes, in SQLite."""

from __future__ import annotations

import apsw

from recollect.models import Stats
from recollect.stores import queries
from recollect.stores.nouns import spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "stats")


class SqliteStats:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, space: str) -> Stats:
        with self._database.read() as connection:
            key = spaces.key_of(connection, space)
            return Stats() if key is None else _stats(connection, key)


def _stats(connection: apsw.Connection, space_key: int) -> Stats:
    scope = {"space_key": space_key}
    conversations, messages, chunks, terms = map(int, fetch(connection, SQL["counts"], scope)[0])
    summaries, pins, facts, episodes = fetch(connection, SQL["records"], scope)[0]
    index, everyones = fetch(connection, SQL["full_text"])[0]
    sizes = {
        "text": int(fetch(connection, SQL["text"], scope)[0][0]),
        "full_text": round(index * terms / everyones) if everyones else 0,
        "vectors": int(fetch(connection, SQL["vectors"], scope)[0][0]),
    }
    return Stats(conversations, messages, chunks, summaries, pins, facts, episodes, sizes)

"""How much a space holds, and what it takes."""

from __future__ import annotations

from recollect.models import Stats
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import spaces

SQL = queries.named("stats")


class SpaceStats:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, space: str) -> Stats:
        with self._database.read(space) as session:
            key = spaces.key_of(session, space)
            return Stats() if key is None else _stats(session, key)


def _stats(session: Session, space_key: int) -> Stats:
    scope = {"space_key": space_key}
    conversations, messages, chunks, terms = map(int, session.fetch(SQL["counts"], scope)[0])
    summaries, pins, facts, episodes = session.fetch(SQL["records"], scope)[0]
    index, everyones = session.fetch(SQL["full_text"])[0]
    sizes = {
        "text": int(session.fetch(SQL["text"], scope)[0][0]),
        "full_text": round(index * terms / everyones) if everyones else 0,
        "vectors": int(session.fetch(SQL["vectors"], scope)[0][0]),
    }
    return Stats(conversations, messages, chunks, summaries, pins, facts, episodes, sizes)

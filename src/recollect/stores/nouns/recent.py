"""The last messages of a conversation, remembered for a few seconds while nobody has written anything."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

from recollect.models import Message
from recollect.ports import Clock
from recollect.records import Stamp
from recollect.stores import queries, rows
from recollect.stores.database import Database, Row
from recollect.stores.nouns import conversations

SQL = queries.named("messages")
KEPT_FOR = timedelta(seconds=5)
KEPT_AT_MOST = 256

Key = tuple[str, str, int, int]


class RecentMessages:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Stamp, datetime, list[Row]]] = OrderedDict()

    def get(self, space: str, conversation: str, limit: int, skip: int) -> list[Message]:
        key = (space, conversation, limit, skip)
        stamp, now = self._database.stamp(space), self._clock()
        with self._lock:
            kept = self._kept.get(key)
        if kept and kept[0] == stamp and abs(now - kept[1]) < KEPT_FOR:
            return _messages(space, kept[2])
        found = self._read(space, conversation, limit, skip)
        with self._lock:
            self._kept[key] = (stamp, now, found)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT_AT_MOST:
                self._kept.popitem(last=False)
        return _messages(space, found)

    def _read(self, space: str, conversation: str, limit: int, skip: int) -> list[Row]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None:
                return []
            scope = {"conversation_key": keys[1], "conversation": conversation, "limit": limit, "skip": skip}
            return session.fetch(SQL["recent"], scope)[::-1]


def _messages(space: str, found: list[Row]) -> list[Message]:
    """Values of their own for every caller: what one of them changes, the next does not see."""
    return [rows.message(space, row) for row in found]

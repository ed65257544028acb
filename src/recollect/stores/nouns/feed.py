"""What has changed. The database itself notes it, by triggers: see the migration `changes`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from heapq import merge
from itertools import islice

from recollect.ids import microseconds
from recollect.models import Change, Changes
from recollect.records import Stamp
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import conversations

SQL = queries.named("changes")

KEPT = 10_000  # of each space; whoever has missed more reads anew, which is faster
SPACES = 200  # pruned in one transaction


class Feed:
    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, space: str, conversation: str | None, after: int | None, limit: int) -> Changes:
        with self._database.read(space) as session:
            found = session.fetch(SQL["bounds"], {"space": space})
            if not found:
                return Changes(missed=bool(after))
            key, first, action, newest = found[0]
            from_the_start = after == 0 and action == "added"
            if after is None or not (from_the_start or first <= after <= newest):
                return Changes(cursor=newest, missed=after is not None)
            wanted = {"space_key": key, "after": after, "limit": limit}
            if conversation is None:
                numbers = [number for (number,) in session.fetch(SQL["of_space"], wanted)]
            else:
                numbers = _of_conversation(session, conversations.keys_of(session, space, conversation), wanted)
            rows = session.fetch(SQL["get"], {"space_key": key, "numbers": written(numbers)})
        return Changes(tuple(Change(*row) for row in rows), numbers[-1] if len(numbers) == limit else newest)

    def prune(self, before: datetime) -> int:
        gone, after = 0, 0
        while spans := self._database.query(SQL["spans"], {"after": after, "limit": SPACES}):
            after = spans[-1][0]
            gone += self._prune([span for span in spans if span[1] < span[2]], microseconds(before) // 1_000_000)
        return gone

    @property
    def rings(self) -> bool:
        return self._database.rings

    def wait(self, seen: Stamp | None, seconds: float) -> Stamp:
        return self._database.wait(seen, seconds)

    def _prune(self, spans: Sequence[tuple[int, ...]], before: int) -> int:
        def work(session: Session) -> int:
            return sum(_shorten(session, span, before) for span in spans)

        return self._database.write(work, alone=True, durable=False) if spans else 0


def _of_conversation(session: Session, keys: tuple[int, int] | None, wanted: dict[str, int | None]) -> list[int]:
    """With those that say that a conversation went: it may have been this one, which has no name any more."""
    own = session.fetch(SQL["of_conversation"], wanted | {"conversation_key": keys[1] if keys else None})
    gone = session.fetch(SQL["conversations_gone"], wanted)
    return [number for (number,) in islice(merge(own, gone), wanted["limit"])]


def _shorten(session: Session, span: tuple[int, ...], before: int) -> int:
    """Leaves a first row that says from where on nothing is missing."""
    key, first, newest = span
    young = session.fetch(SQL["young"], {"space_key": key, "first": first, "before": before})
    last = max(newest - KEPT, young[0][0] - 1 if young else newest)
    if last <= first:
        return 0
    gone = session.changed(SQL["prune"], {"space_key": key, "last": last})
    if gone:  # none where the space went meanwhile
        session.execute(SQL["begin"], {"space_key": key, "last": last, "before": before})
    return gone

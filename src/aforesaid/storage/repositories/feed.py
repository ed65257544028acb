"""The change feed. Database triggers write it: see `storage/schema/`.

The triggers run in the transaction of the change, so no writer can forget it. An entry holds keys, which are resolved
when it is read, so forgotten records are not named. Each space counts from a random number, so a cursor of a deleted
space is not valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from aforesaid.ids import microseconds
from aforesaid.models.change import Change, Changes
from aforesaid.models.store import CommitStamp
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text
from aforesaid.storage.database import Row, Session, first
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.items import SEPARATOR
from aforesaid.storage.repositories.space_keys import conversation_key

SQL = queries.named("changes")

MAX_CHANGES = 10_000  # of each space; a reader that has missed more reads everything again, which is faster
SPACES_PER_PRUNE = 200  # in one transaction


class Feed(Repository):
    def read(self, space: str, conversation: str | None, after: int | None, limit: int) -> Changes:
        """Returns the changes after a cursor, oldest first. With None, only the current cursor. A feed of one
        conversation includes deletions of any conversation of the space, because they do not name it."""
        with self._database.read(space) as session:
            bounds = first(session.fetch(SQL["bounds"], {"space": space}))
            if bounds is None:
                return Changes(missed=bool(after))
            key, newest = bounds.space_key, bounds.newest
            from_the_start = after == 0 and bounds.action == "added"
            if after is None or not (from_the_start or bounds.number <= after <= newest):
                return Changes(cursor=newest, missed=after is not None)
            scope = {"space_key": key, "after": after, "limit": limit}
            if conversation is None:
                numbers = [number for (number,) in session.fetch(SQL["of_space"], scope)]
            else:
                numbers = _of_conversation(session, conversation_key(session, space, conversation), scope)
            rows = session.fetch(SQL["get"], {"space_key": key, "numbers": json_text(numbers)})
        return Changes(tuple(map(_change, rows)), numbers[-1] if len(numbers) == limit else newest)

    def prune(self, before: datetime) -> int:
        """Removes changes from before a time, and the oldest beyond a limit per space. Returns their number."""
        removed, after = 0, 0
        while spans := self._database.query(SQL["spans"], {"after": after, "limit": SPACES_PER_PRUNE}):
            after = spans[-1].space_key
            long = [span for span in spans if span.first < span.newest]
            removed += self._prune(long, microseconds(before) // 1_000_000)
        return removed

    @property
    def supports_notify(self) -> bool:
        """True if other processes' commits are notified, so that waiting for them costs nothing."""
        return self._database.supports_notify

    def wait(self, seen: CommitStamp | None, seconds: float) -> CommitStamp:
        """Returns the store's stamp as soon as it differs from `seen`, or after `seconds`: immediately if this process
        commits, within a tenth of a second if another one does."""
        return self._database.wait(seen, seconds)

    def _prune(self, spans: Sequence[Row], before: int) -> int:
        def work(session: Session) -> int:
            return sum(_shorten(session, span, before) for span in spans)

        return self._database.write(work, alone=True, durable=False) if spans else 0


def _change(row: Row) -> Change:
    change = from_row(Change, row)
    if change.kind != "item" or change.record is None:
        return change
    return replace(change, record=json_text(change.record.split(SEPARATOR)))


def _of_conversation(session: Session, key: int | None, scope: dict[str, int | None]) -> list[int]:
    """Includes deletions of conversations: this one may be among them, and a deletion has no name."""
    own = session.fetch(SQL["of_conversation"], scope | {"conversation_key": key})
    deleted = session.fetch(SQL["conversations_gone"], scope)
    return sorted(number for (number,) in (*own, *deleted))[: scope["limit"]]


def _shorten(session: Session, span: Row, before: int) -> int:
    """Leaves a first row: from its number on, nothing is missing."""
    key, oldest, newest = span
    young = first(session.fetch(SQL["young"], {"space_key": key, "first": oldest, "before": before}))
    last = max(newest - MAX_CHANGES, young.number - 1 if young else newest)
    if last <= oldest:
        return 0
    removed = session.changed(SQL["prune"], {"space_key": key, "last": last})
    if removed:  # 0 if the space no longer exists
        session.execute(SQL["begin"], {"space_key": key, "last": last, "before": before})
    return removed

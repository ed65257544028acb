"""The one transaction in which a batch of the ledger is written."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import AuditEntry
from recollect.records import Entry, Retrieved, StoredReceipt
from recollect.stores import queries
from recollect.stores.database import Database, RowRefused, Session
from recollect.stores.nouns import accesses, audit, facts, receipts, retrievals, spaces

RETRIEVALS = queries.named("retrievals")
RECEIPTS = queries.named("receipts")
UNKEEPABLE = (RowRefused, TypeError, ValueError)  # refused by a table's rules, or no JSON

log = logging.getLogger(__name__)


class Ledger:
    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, batch: Sequence[Entry]) -> None:
        def work(session: Session) -> None:
            try:
                with session.trying():
                    _add(session, batch)
            except UNKEEPABLE:
                for entry in batch:
                    _add_or_say(session, entry)

        self._database.jot(work, *(_space(entry) for entry in batch))

    def prune(self, before: datetime) -> int:
        def work(session: Session) -> int:
            old = {"before": microseconds(before)}
            return session.changed(RETRIEVALS["prune"], old) + session.changed(RECEIPTS["prune"], old)

        return self._database.write(work, durable=False)


def _add_or_say(session: Session, entry: Entry) -> None:
    """One entry that no store can keep must not keep the others waiting for ever."""
    try:
        with session.trying():
            _add(session, [entry])
    except UNKEEPABLE as exc:
        log.warning("ledger entry refused", extra={"action": "ledger_refused", "error": str(exc)})


def _space(entry: Entry) -> str:
    return entry.retrieval.space if isinstance(entry, Retrieved) else entry.space


def _add(session: Session, batch: Sequence[Entry]) -> None:
    """In few statements, and as few journeys. What is about a space that is gone is left out."""
    keys = {space: spaces.key_of(session, space) for space in dict.fromkeys(map(_space, batch))}
    owned = [(key, entry) for entry in batch if (key := keys[_space(entry)]) is not None]
    for key, entry in owned:
        if isinstance(entry, AuditEntry):
            audit.add(session, key, entry)
        elif isinstance(entry, StoredReceipt):
            receipts.add(session, key, entry)
    _add_retrieved(session, [(key, entry) for key, entry in owned if isinstance(entry, Retrieved)])


def _add_retrieved(session: Session, owned: Sequence[tuple[int, Retrieved]]) -> None:
    """What was written before is not counted twice."""
    fresh = retrievals.add(session, [(key, entry.retrieval) for key, entry in owned])
    new = [one for one, is_new in zip(owned, fresh, strict=True) if is_new]
    for space_key in dict.fromkeys(key for key, _ in new):
        accesses.add(session, space_key, [(one.messages, one.retrieval.at) for key, one in new if key == space_key])
    for key, entry in new:
        if entry.facts:
            facts.touch(session, key, entry.facts, entry.retrieval.at)

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
            _add(session, entry)
    except UNKEEPABLE as exc:
        log.warning("ledger entry refused", extra={"action": "ledger_refused", "error": str(exc)})


def _space(entry: Entry) -> str:
    return entry.retrieval.space if isinstance(entry, Retrieved) else entry.space


def _add(session: Session, entry: Entry) -> None:
    space_key = spaces.key_of(session, _space(entry))
    if space_key is None:
        return
    if isinstance(entry, AuditEntry):
        audit.add(session, space_key, entry)
    elif isinstance(entry, StoredReceipt):
        receipts.add(session, space_key, entry)
    elif retrievals.add(session, space_key, entry.retrieval):
        accesses.add(session, space_key, entry.messages, entry.retrieval.at)
        if entry.facts:
            facts.touch(session, space_key, entry.facts, entry.retrieval.at)

"""The one transaction in which a batch of the ledger is written."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import AuditEntry
from recollect.records import Entry, Retrieved, StoredReceipt
from recollect.stores import queries
from recollect.stores.nouns import accesses, audit, facts, receipts, retrievals, spaces
from recollect.stores.sqlite.database import Database

RETRIEVALS = queries.named("sqlite", "retrievals")
RECEIPTS = queries.named("sqlite", "receipts")
UNKEEPABLE = (apsw.ConstraintError, TypeError, ValueError)  # refused by a table's rules, or no JSON

log = logging.getLogger(__name__)


class SqliteLedger:
    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, batch: Sequence[Entry]) -> None:
        def work(connection: apsw.Connection) -> None:
            for entry in batch:
                _add_or_say(connection, entry)

        self._database.write(work, durable=False)

    def prune(self, before: datetime) -> int:
        def work(connection: apsw.Connection) -> int:
            start = connection.total_changes()
            for sql in (RETRIEVALS["prune"], RECEIPTS["prune"]):
                connection.execute(sql, {"before": microseconds(before)})
            return connection.total_changes() - start

        return self._database.write(work, durable=False)


def _add_or_say(connection: apsw.Connection, entry: Entry) -> None:
    """One entry that no store can keep must not keep the others waiting for ever."""
    try:
        _add(connection, entry)
    except UNKEEPABLE as exc:
        log.warning("ledger entry refused", extra={"action": "ledger_refused", "error": str(exc)})


def _add(connection: apsw.Connection, entry: Entry) -> None:
    owner = entry.retrieval if isinstance(entry, Retrieved) else entry
    space_key = spaces.key_of(connection, owner.space)
    if space_key is None:
        return
    if isinstance(entry, AuditEntry):
        audit.add(connection, space_key, entry)
    elif isinstance(entry, StoredReceipt):
        receipts.add(connection, space_key, entry)
    elif retrievals.add(connection, space_key, entry.retrieval):
        accesses.add(connection, space_key, entry.messages, entry.retrieval.at)
        if entry.facts:
            facts.touch(connection, space_key, entry.facts, entry.retrieval.at)

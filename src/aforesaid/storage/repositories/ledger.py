"""The ledger: accesses of messages, measurements of retrievals, and receipts of contexts.

A batch of entries is written in one transaction. An entry that is written twice counts once.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, pairwise

from aforesaid.ids import microseconds
from aforesaid.models.profile import AuditEntry
from aforesaid.models.retrieval import Access, LedgerEntry, Retrieval, RetrievalRecord, StoredReceipt
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text, moment, to_columns, window
from aforesaid.storage.database import Database, Row, RowRefused, Session, first
from aforesaid.storage.repositories import audit, facts
from aforesaid.storage.repositories.base import Repository

ACCESSES = queries.named("accesses")
RECEIPTS = queries.named("receipts")
RETRIEVALS = queries.named("retrievals")

PAGE = 1_000  # accesses that are read together
RECEIPT_BYTES = 16_000_000  # of all receipts of a space, about ten thousand
REJECTIONS = (RowRefused, TypeError, ValueError)  # refused by a table's rules, or no JSON

log = logging.getLogger(__name__)


def add_accesses(session: Session, space_key: int, handed: Iterable[tuple[Collection[str], datetime]]) -> None:
    """Counts one access of each message that still exists, for each time that messages were retrieved."""
    counts: dict[str, tuple[int, int]] = {}
    for messages, at in handed:
        for id in set(messages):
            count, last = counts.get(id, (0, 0))
            counts[id] = (count + 1, max(last, microseconds(at)))
    if counts:
        rows = [(id, *count) for id, count in counts.items()]
        session.execute(ACCESSES["add"], {"space_key": space_key, "handed": json_text(rows)})


class Accesses(Repository):
    def of(self, space: str, message_ids: Sequence[str]) -> Mapping[str, Access]:
        """Returns the accesses of these messages; a message that was never retrieved has none."""
        rows = self._database.query(ACCESSES["of"], {"ids": json_text(message_ids)}, space)
        return {row.id: _access_from_row(row) for row in rows}

    def counts(self, space: str, keys: Sequence[int]) -> Mapping[int, int]:
        """Returns how often each message was retrieved, by its key in the directory."""
        rows = self._database.query(ACCESSES["counts"], {"keys": json_text(keys)}, space)
        return {row.message_key: row.count for row in rows}

    def all(self, space: str) -> Iterator[Access]:
        after = 0
        while page := self._database.query(ACCESSES["after"], {"after": after, "limit": PAGE}, space):
            yield from map(_access_from_row, page)
            after = page[-1].message_key

    def restore(self, space: str, accesses: Sequence[Access]) -> None:
        """Writes accesses where there are none yet."""

        rows = [
            {"id": access.message_id, "count": access.count, "last_at": microseconds(access.last_at)}
            for access in accesses
        ]
        self._database.write(lambda session: session.execute_each(ACCESSES["restore"], rows), space)


def _access_from_row(row: Row) -> Access:
    return Access(row.id, row.count, moment(row.last_at))


class Retrievals(Repository):
    def list(self, space: str | None, since: datetime | None, until: datetime | None, limit: int) -> list[Retrieval]:
        """Returns those from `since` on and before `until`, newest first, of one space or of all."""
        query = RETRIEVALS["of_all" if space is None else "of_space"]
        values = {"space": space, "limit": limit, **window(since, until)}
        return [from_row(Retrieval, row) for row in self._database.query(query, values, space)]


class Receipts(Repository):
    def get(self, id: str) -> StoredReceipt | None:
        with self._database.read() as session:
            row = first(session.fetch(RECEIPTS["get"], {"id": id}))
            return _receipts_from_rows(session, session.key_of(row.space), [row])[0] if row else None

    def list(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        """Returns the newest first, of a space or of one of its conversations."""
        query = RECEIPTS["of_space" if conversation is None else "of_conversation"]
        values = {"space": space, "conversation": conversation, "limit": limit}
        with self._database.read(space) as session:
            return _receipts_from_rows(session, session.key_of(space), session.fetch(query, values))


def _receipts_from_rows(session: Session, space_key: int | None, rows: Sequence[Row]) -> list[StoredReceipt]:
    keys = [message_keys(row) for row in rows]
    scope = {"space_key": space_key, "keys": json_text(sorted({key for each in keys for key in each}))}
    ids = {row.message_key: row.id for row in (session.fetch(RECEIPTS["message_ids"], scope) if any(keys) else [])}
    packed = [
        (tuple(ids.get(key, "") for key in each), bytes(row.items or b"")) for row, each in zip(rows, keys, strict=True)
    ]
    return [
        from_row(StoredReceipt, row, messages=messages, items=items)
        for row, (messages, items) in zip(rows, packed, strict=True)
    ]


def message_keys(row: Row) -> list[int]:
    """The keys of the messages that a row of a receipt names in its packed items; 0 for one that was gone already."""
    try:
        return list(accumulate(json.loads(zlib.decompress(row.messages)))) if row.messages else []
    except zlib.error as exc:
        raise ValueError("the keys of a receipt's messages are damaged") from exc


def _pack_keys(keys: Sequence[int]) -> bytes:
    """Differences of keys: those of a history are small."""
    steps = [key - before for before, key in pairwise([0, *keys])]
    return zlib.compress(json_text(steps).encode(), 9)


class LedgerWriter(Repository):
    """Writes the ledger: the records of retrievals. A space has at most `receipt_bytes` of receipts."""

    def __init__(self, database: Database, receipt_bytes: int = RECEIPT_BYTES) -> None:
        super().__init__(database)
        self._receipt_bytes = receipt_bytes

    def write(self, batch: Sequence[LedgerEntry]) -> None:
        """Writes the batch in one transaction; an entry that is stored already is not counted again.

        Leaves out entries of a deleted space and accesses of deleted messages. An entry that the tables refuse is
        left out and logged.
        """

        def work(session: Session) -> None:
            try:
                with session.savepoint():
                    _add(session, batch)
            except REJECTIONS:
                for entry in batch:
                    _add_or_log(session, entry)

        self._database.write_best_effort(work, *(_space(entry) for entry in batch))

    def prune(self, before: datetime) -> int:
        """Removes the retrievals and receipts from before a time, and the oldest receipts of a space that has more than
        `RECEIPT_BYTES` of them. Returns their number. Keeps accesses."""

        def work(session: Session) -> int:
            old = {"before": microseconds(before)}
            removed = session.changed(RETRIEVALS["prune"], old) + session.changed(RECEIPTS["prune"], old)
            return removed + session.changed(RECEIPTS["prune_oldest"], {"most": self._receipt_bytes})

        return self._database.write(work, durable=False)


def _add_or_log(session: Session, entry: LedgerEntry) -> None:
    """An entry that the tables refuse must not block the others."""
    try:
        with session.savepoint():
            _add(session, [entry])
    except REJECTIONS as exc:
        log.warning("ledger entry refused", extra={"action": "ledger_refused", "error": str(exc)})


def _space(entry: LedgerEntry) -> str:
    return entry.retrieval.space if isinstance(entry, RetrievalRecord) else entry.space


def _add(session: Session, batch: Sequence[LedgerEntry]) -> None:
    """Uses few statements and round trips. Leaves out the entries of a deleted space."""
    keys = {space: session.key_of(space) for space in dict.fromkeys(map(_space, batch))}
    owned = [(key, entry) for entry in batch if (key := keys[_space(entry)]) is not None]
    for key, entry in owned:
        if isinstance(entry, AuditEntry):
            audit.add(session, key, entry)
    _add_receipts(session, [(key, entry) for key, entry in owned if isinstance(entry, StoredReceipt)])
    _add_retrieved(session, [(key, entry) for key, entry in owned if isinstance(entry, RetrievalRecord)])


def _add_receipts(session: Session, owned: Sequence[tuple[int, StoredReceipt]]) -> None:
    for space_key in dict.fromkeys(key for key, _ in owned):
        receipts = [entry for key, entry in owned if key == space_key]
        ids = json_text(sorted({id for entry in receipts for id in entry.messages}))
        keys = {
            row.id: row.message_key
            for row in session.fetch(RECEIPTS["message_keys"], {"space_key": space_key, "ids": ids})
        }
        for entry in receipts:
            named = _pack_keys([keys.get(id, 0) for id in entry.messages])
            values = to_columns(entry, "messages", "items") | {"messages": named, "items": entry.items}
            session.execute(RECEIPTS["add"], {"space_key": space_key, **values})


def _add_retrieved(session: Session, owned: Sequence[tuple[int, RetrievalRecord]]) -> None:
    """A retrieval that is stored already is not counted again."""
    columns = [{"space_key": key, **to_columns(entry.retrieval)} for key, entry in owned]
    results = session.fetch_each(RETRIEVALS["add"], columns)
    new = [each for each, added in zip(owned, results, strict=True) if added]
    for space_key in dict.fromkeys(key for key, _ in new):
        entries = [entry for key, entry in new if key == space_key]
        add_accesses(session, space_key, [(entry.messages, entry.retrieval.at) for entry in entries])
    for key, entry in new:
        if entry.facts:
            facts.touch(session, key, entry.facts, entry.retrieval.at)

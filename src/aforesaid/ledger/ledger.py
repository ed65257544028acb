"""The retrieval ledger: queues entries in memory and writes them in the background. Reads always include queued
entries. At most a thousand entries are queued; then the reader writes them itself, so none is dropped."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from datetime import datetime

from aforesaid.errors import ClosedError, StoreError
from aforesaid.models.recall import Hit, Hits
from aforesaid.models.retrieval import Access, LedgerEntry, Retrieval, RetrievalRecord, StoredReceipt
from aforesaid.storage.store import Store

TOP_SCORES = 3  # scores stored for a retrieval


def recall_record(
    id: str, place: tuple[str, str | None], at: datetime, flags: Mapping[str, bool | int | float | str], hits: Hits
) -> RetrievalRecord:
    """The record of one recall. `place` is its space and its conversation, `flags` are its settings."""
    retrieval = Retrieval(
        id,
        *place,
        at,
        kind="recall",
        hits=len(hits),
        sources=dict(Counter(source for hit in hits for source in hit.sources)),
        content=dict(Counter(map(_content, hits))),
        milliseconds=hits.milliseconds,
        top_scores=tuple(hit.score.total for hit in hits[:TOP_SCORES]),
        flags=flags,
        degraded=hits.degraded,
    )
    facts = [id for hit in hits for id in ((hit.id,) if hit.kind == "fact" else hit.notes)]
    return RetrievalRecord(retrieval, tuple(hit.message.id for hit in hits if hit.message), tuple(facts))


def _content(hit: Hit) -> str:
    if hit.message is None or hit.chunk is None:
        return hit.kind
    return "message" if len(hit.chunk.content) == len(hit.message.text) else "chunk"


MOST_PENDING = 1_000  # entries in the queue, and in one transaction
MOST_DEFERRED = 100  # functions in the queue
FLUSH_SECONDS = 5.0  # delay of a write, because every write to a file invalidates the caches of all processes

PendingEntry = LedgerEntry | Callable[[], LedgerEntry]

log = logging.getLogger(__name__)


class RetrievalLedger:
    """Records retrievals without delaying them. Safe for any number of threads.

    Entries that a killed process has not written are lost, as are those recorded while the store closes. A forked child
    drops its parent's entries: the parent writes them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._since = time.monotonic()
        self._process = os.getpid()
        self._entries: deque[PendingEntry] = deque()
        self._queued: set[str] = set()  # the ids of queued receipts
        self._awaited: set[str] = set()  # the spaces whose next messages are followed by a write
        self._deferred = 0  # about how many of them are functions
        self._most = MOST_PENDING
        self._writing = threading.Lock()

    @property
    def pending(self) -> tuple[PendingEntry, ...]:
        """The entries that are not written yet, the oldest first."""
        return tuple(self._entries)

    def record(self, entry: PendingEntry, receipt: str | None = None) -> None:
        """Queues an entry, or a function that makes it. `receipt` is the id of the receipt that the function makes. If
        too many are queued, writes them immediately."""
        if not self._entries:
            self._since = time.monotonic()
        if isinstance(entry, StoredReceipt):
            receipt = entry.id
        if receipt is not None:
            self._queued.add(receipt)
        self._entries.append(entry)
        self._deferred += callable(entry)
        if len(self._entries) > self._most:
            self.try_write()
        elif self._deferred > MOST_DEFERRED:
            self._make_entries()

    def _make_entries(self) -> None:
        """Calls the queued functions: each holds the texts of a context."""
        with self._writing:
            self._deferred = 0
            for at, entry in enumerate(tuple(self._entries)):
                self._entries[at] = entry() if callable(entry) else entry

    def write_with_messages(self, space: str) -> None:
        """Writes the entries after the next messages of a space: then, a write costs no cache that is still valid."""
        self._awaited.add(space)

    def messages_written(self, space: str) -> None:
        if space in self._awaited:
            self._awaited.discard(space)
            self.try_write()

    def write_due(self) -> None:
        """Writes the entries if they have waited long enough."""
        if self._entries and time.monotonic() - self._since >= FLUSH_SECONDS:
            self.try_write()

    def write(self) -> None:
        """Returns when all recorded entries are stored. After a failure, the others stay queued."""
        if os.getpid() != self._process:
            self._entries.clear()
            self._queued.clear()
            return
        with self._writing:
            for _ in range(0, len(self._entries), MOST_PENDING):
                self._deferred = 0
                batch = [self._entries.popleft() for _ in range(min(len(self._entries), MOST_PENDING))]
                self._write([entry() if callable(entry) else entry for entry in batch])

    def try_write(self) -> None:
        """Writes the entries. A failure of the store is logged, and the write is repeated later."""
        try:
            self.write()
        except StoreError as exc:
            waiting = len(self._entries)
            self._most = waiting + MOST_PENDING  # not with every entry: a failing store may take a minute to respond
            extra = {"action": "ledger_waits", "entries": waiting, "error": str(exc)}
            log.warning("ledger write postponed", extra=extra)
        except ClosedError:
            log.warning("ledger entries lost", extra={"action": "ledger_lost", "entries": len(self._entries)})
            self._entries.clear()
            self._queued.clear()

    def access(self, space: str, message_id: str) -> Access | None:
        """How often a message was retrieved; None if never."""
        self.write()
        return self._store.accesses.of(space, [message_id]).get(message_id)

    def retrievals(
        self, space: str | None, since: datetime | None, until: datetime | None, limit: int
    ) -> list[Retrieval]:
        self.write()
        return self._store.retrievals.list(space, since, until, limit)

    def receipt(self, id: str) -> StoredReceipt | None:
        if id in self._queued:
            self.write()
        return self._store.receipts.get(id)

    def receipts(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        self.write()
        return self._store.receipts.list(space, conversation, limit)

    def _write(self, batch: list[LedgerEntry]) -> None:
        try:
            self._store.ledger.write(batch)
        except BaseException:
            self._entries.extendleft(reversed(batch))
            raise
        self._queued -= {entry.id for entry in batch if isinstance(entry, StoredReceipt)}
        self._most = MOST_PENDING

"""What retrievals leave behind: noted in memory by those who read, written by whoever has time."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import datetime

from recollect.errors import ClosedError, StoreError
from recollect.models import Access, Retrieval
from recollect.ports import Store
from recollect.records import Entry, StoredReceipt

MOST = 1_000  # entries that wait at most, and that one transaction writes
PAUSE = 5.0  # seconds that entries may wait: each write to a file makes every process read anew what it had at hand

Noted = Entry | Callable[[], Entry]

log = logging.getLogger(__name__)


class Ledger:
    """Reading never waits for its own record. Any number of threads may note and read; what is read is up to date.

    Entries that a killed process has not written yet are lost, as are those noted while the store closes. A forked
    child forgets its parent's entries: the parent writes them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._since = time.monotonic()
        self._process = os.getpid()
        self._entries: deque[Noted] = deque()
        self._most = MOST
        self._writing = threading.Lock()

    def note(self, entry: Noted) -> None:
        """Puts an entry, or what makes it, down to be written soon. Only where too many wait already are they written
        at once."""
        if not self._entries:
            self._since = time.monotonic()
        self._entries.append(entry)
        if len(self._entries) > self._most:
            self.attempt()

    def due(self) -> None:
        """`attempt`, where entries have waited long enough."""
        if self._entries and time.monotonic() - self._since >= PAUSE:
            self.attempt()

    def write(self) -> None:
        """Returns when everything that was noted is stored. A failure raises, and what is not stored stays noted."""
        if os.getpid() != self._process:
            self._entries.clear()
            return
        with self._writing:
            for _ in range(0, len(self._entries), MOST):
                noted = [self._entries.popleft() for _ in range(min(len(self._entries), MOST))]
                self._write([one() if callable(one) else one for one in noted])

    def attempt(self) -> None:
        """`write`, for those who cannot help it: a store that fails is logged, and tried again later."""
        try:
            self.write()
        except StoreError as exc:
            waiting = len(self._entries)
            self._most = waiting + MOST  # not with every reader: a store that fails may take a minute to say so
            log.warning("ledger waits", extra={"action": "ledger_waits", "entries": waiting, "error": str(exc)})
        except ClosedError:
            log.warning("ledger lost", extra={"action": "ledger_lost", "entries": len(self._entries)})
            self._entries.clear()

    def access(self, space: str, message_id: str) -> Access | None:
        """How often a message was handed out; None where it never was."""
        self.write()
        return self._store.accesses.of(space, [message_id]).get(message_id)

    def retrievals(
        self, space: str | None, since: datetime | None, until: datetime | None, limit: int
    ) -> list[Retrieval]:
        self.write()
        return self._store.retrievals.list(space, since, until, limit)

    def receipt(self, id: str) -> StoredReceipt | None:
        self.write()
        return self._store.receipts.get(id)

    def receipts(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        self.write()
        return self._store.receipts.list(space, conversation, limit)

    def _write(self, batch: list[Entry]) -> None:
        try:
            self._store.ledger.write(batch)
        except BaseException:
            self._entries.extendleft(reversed(batch))
            raise
        self._most = MOST

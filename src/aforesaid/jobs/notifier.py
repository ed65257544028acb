"""Notifies subscribers of committed changes. One thread per Memory, and only while there are subscribers."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator

from aforesaid.errors import ClosedError, StoreError, log_text
from aforesaid.models.change import Changes
from aforesaid.models.store import CommitStamp
from aforesaid.storage.outage_log import OutageLog
from aforesaid.storage.repositories.feed import Feed

POLL_SECONDS = 0.05  # delay until a change of another process, or the end of the last subscription, is noticed
GATHER_SECONDS = 0.02  # pause after a notification: reading many changes at once costs less
RETRY_SECONDS = 1.0  # pause after a failure of the store

Callback = Callable[[], object]

log = logging.getLogger(__name__)


class Subscription:
    """A subscription to changes, until `close` or the end of a `with`."""

    def __init__(self, close: Callable[[Subscription], None], wake: Callback) -> None:
        self._close = close
        self.wake = wake

    def close(self) -> None:
        """Ends the subscription. A call in another thread may still be running."""
        self._close(self)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class ChangeNotifier:
    """The subscriptions to the changes of one store, in the process that opened it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._subscriptions: list[Subscription] = []
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._outage = OutageLog(log, "watching the store", "watch_store_error")

    @property
    def is_current_thread(self) -> bool:
        return self._thread is threading.current_thread()

    def subscribe(self, wake: Callback) -> Subscription:
        """Calls `wake` after every commit from now on."""
        seen = self._feed.wait(None, 0)
        subscription = Subscription(self._unsubscribe, wake)
        with self._lock:
            self._subscriptions.append(subscription)
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, args=(seen,), name="aforesaid-watch", daemon=True)
                self._thread.start()
        return subscription

    def stop(self) -> None:
        """Ends the thread. Call `notify` afterwards to wake the remaining subscribers."""
        self._stopping.set()
        if (thread := self._thread) is not None:
            thread.join()

    def notify(self) -> None:
        with self._lock:
            subscriptions = tuple(self._subscriptions)
        for subscription in subscriptions:
            try:
                subscription.wake()
            except Exception as exc:  # noqa: BLE001 (one subscriber must not affect the others)
                extra = {"action": "listener_failed", "error": log_text(exc)}
                log.warning("subscriber failed: %s", log_text(exc), extra=extra)

    def _unsubscribe(self, subscription: Subscription) -> None:
        if os.getpid() != self._process:  # a forked child has no such thread, and its lock may be held forever
            return
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)

    def _run(self, seen: CommitStamp) -> None:
        while self._has_subscribers():
            try:
                now = self._feed.wait(seen, POLL_SECONDS)
            except ClosedError:
                return
            except StoreError as exc:
                self._outage.failed(log_text(exc), str(exc))
                self._stopping.wait(RETRY_SECONDS)
                continue
            self._outage.recovered()
            if now != seen:
                seen = now
                self.notify()
                self._stopping.wait(GATHER_SECONDS)

    def _has_subscribers(self) -> bool:
        """If it returns False, the thread ends, and the next subscription starts another one."""
        with self._lock:
            if self._subscriptions and not self._stopping.is_set():
                return True
            self._thread = None
            return False


def follow(
    subscribe: Callable[[Callback], Subscription], read: Callable[[int | None], Changes], after: int | None
) -> Iterator[Changes]:
    """Yields the changes after a cursor immediately, even if there are none, and then each time there are new ones."""
    committed = threading.Event()
    with subscribe(committed.set):
        changes = read(after)
        yield changes
        while True:
            committed.clear()
            changes = read(changes.cursor)
            if changes or changes.missed:
                yield changes
            else:
                committed.wait()

"""Tells those who asked that something has changed: one thread a Memory, and only while somebody listens."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from types import TracebackType

from recollect.errors import ClosedError, StoreError, told
from recollect.models import Changes
from recollect.ports import Feed
from recollect.records import Stamp

LOOK_SECONDS = 0.05  # how soon what another process wrote, or that nobody listens any more, is noticed
GATHER_SECONDS = 0.02  # between two calls: one look at many changes costs less than many looks
TROUBLE_SECONDS = 1.0  # before a store that failed is asked again

Wake = Callable[[], object]

log = logging.getLogger(__name__)


class Subscription:
    """Somebody who listens, until `close` or the end of a `with`."""

    def __init__(self, close: Callable[[Subscription], None], wake: Wake) -> None:
        self._close = close
        self.wake = wake

    def close(self) -> None:
        """Ends it. A call that has begun in another thread may still be under way."""
        self._close(self)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Watching:
    """Those who listen to one store, in the process that opened it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._listening: list[Subscription] = []
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def here(self) -> bool:
        """Whether this is the watching thread."""
        return self._thread is threading.current_thread()

    def subscribe(self, wake: Wake) -> Subscription:
        """Whatever is committed after this returns is told."""
        seen = self._feed.wait(None, 0)
        one = Subscription(self._leave, wake)
        with self._lock:
            self._listening.append(one)
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, args=(seen,), name="recollect-watch", daemon=True)
                self._thread.start()
        return one

    def stop(self) -> None:
        """Ends the thread. Those who listen still are told by `tell` that all is over."""
        self._stopping.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def tell(self) -> None:
        with self._lock:
            listening = tuple(self._listening)
        for one in listening:
            try:
                one.wake()
            except Exception as exc:  # noqa: BLE001 (who fails here must not keep it from the others)
                log.warning("listener failed: %s", told(exc), extra={"action": "listener_failed", "error": told(exc)})

    def _leave(self, one: Subscription) -> None:
        if os.getpid() != self._process:  # a forked child has no such thread, and perhaps a lock that nobody frees
            return
        with self._lock:
            if one in self._listening:
                self._listening.remove(one)

    def _run(self, seen: Stamp) -> None:
        while self._wanted():
            try:
                now = self._feed.wait(seen, LOOK_SECONDS)
            except ClosedError:
                return
            except StoreError as exc:
                log.warning("store failed: %s", told(exc), extra={"action": "watch_store_error", "error": str(exc)})
                self._stopping.wait(TROUBLE_SECONDS)
                continue
            if now != seen:
                seen = now
                self.tell()
                self._stopping.wait(GATHER_SECONDS)

    def _wanted(self) -> bool:
        """Ends the thread, for whoever subscribes next to begin another, where nobody listens."""
        with self._lock:
            if self._listening and not self._stopping.is_set():
                return True
            self._thread = None
            return False


def follow(watching: Watching, read: Callable[[int | None], Changes], after: int | None) -> Iterator[Changes]:
    """The first ones at once, though there be none: their cursor says where it begins. Then whenever there are any."""
    moved = threading.Event()
    with watching.subscribe(moved.set):
        found = read(after)
        yield found
        while True:
            moved.clear()
            found = read(found.cursor)
            if found or found.missed:
                yield found
            else:
                moved.wait()

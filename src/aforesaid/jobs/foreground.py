"""Lets background work wait for calls that somebody waits for.

Threads of a process take turns in the interpreter. A call that reads the store gives up its turn with every statement,
and a busy worker returns it late: next to one, a call of 20 ms took 70 ms. So background work runs in small steps, in
the pauses between calls. While there is no pause, it takes a small part of the time, and a larger one when it is late.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

LOOK_SECONDS = 0.05  # between two looks at calls that follow each other: each look interrupts them
PAUSE_SECONDS = 0.005  # without a call; the calls of a loop follow each other sooner
REST = 19  # while calls follow each other, work takes a twentieth of the time
REST_IF_LATE = 1  # or half of it: a busy server must finish its jobs


class ForegroundCalls:
    """The calls that run in this process. Safe for any number of threads. Use it as a context around each call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._ended = float("-inf")
        self._awaited = 0
        self._local = threading.local()  # of each thread that works: when it went on, and how long it rests

    def __enter__(self) -> None:
        with self._lock:
            self._running += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._running -= 1
            self._ended = time.monotonic()

    @property
    def awaited(self) -> bool:
        """True while a call waits for the work."""
        return self._awaited > 0

    @property
    def busy(self) -> bool:
        """True while calls follow each other and nobody waits for the work."""
        return not self.awaited and (bool(self._running) or time.monotonic() - self._ended < PAUSE_SECONDS)

    @contextmanager
    def awaiting_work(self) -> Iterator[None]:
        """While it lasts, a call waits for the work, which then does not wait for calls."""
        with self._lock:
            self._awaited += 1
        try:
            yield
        finally:
            with self._lock:
                self._awaited -= 1

    def begin_work(self, *, late: bool) -> None:
        """Call it before background work in this thread. Work that is late rests less."""
        self._local.work = time.monotonic(), REST_IF_LATE if late else REST

    def give_way(self) -> None:
        """Call it between two steps of the work. Returns at the next pause between calls, or when it has waited for
        a multiple of the time that the last step took."""
        begin, rest = getattr(self._local, "work", (time.monotonic(), REST))
        if self.busy:
            self.wait_for_pause(threading.Event(), PAUSE_SECONDS, (time.monotonic() - begin) * rest)
        self._local.work = time.monotonic(), rest

    def wait_for_pause(self, stopping: threading.Event, pause: float, longest: float) -> None:
        """Returns when no call has run for `pause` seconds, when a call waits for the work, when `stopping` is set, or
        after `longest` seconds."""
        deadline = time.monotonic() + longest
        while (now := time.monotonic()) < deadline:
            rest = self._ended + pause - now
            if self.awaited or (not self._running and rest <= 0):
                return
            if stopping.wait(min(max(rest, LOOK_SECONDS), deadline - now)):
                return

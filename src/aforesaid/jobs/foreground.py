"""Lets background work wait for calls that somebody waits for.

Threads of a process take turns in the interpreter. A call that reads the store gives up its turn with every statement,
and a busy worker returns it late: next to one, a call of 20 ms took 70 ms.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType

LOOK_SECONDS = 0.005  # between two looks at the calls that run
GIVE_WAY_SECONDS = 0.02  # between two steps of a job; with more, a busy server would never finish its jobs


class ForegroundCalls:
    """The calls that run in this process. Safe for any number of threads. Use it as a context around each call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._ended = float("-inf")

    def __enter__(self) -> None:
        with self._lock:
            self._running += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._running -= 1
            self._ended = time.monotonic()

    def give_way(self) -> None:
        """Returns when no call runs, or after a short time."""
        if self._running:
            self.wait_for_pause(threading.Event(), 0.0, GIVE_WAY_SECONDS)

    def wait_for_pause(self, stopping: threading.Event, pause: float, longest: float) -> None:
        """Returns when no call has run for `pause` seconds, when `stopping` is set, or after `longest` seconds."""
        deadline = time.monotonic() + longest
        while (now := time.monotonic()) < deadline:
            rest = LOOK_SECONDS if self._running else self._ended + pause - now
            if rest <= 0 or stopping.wait(min(rest, deadline - now)):
                return

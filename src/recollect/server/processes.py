"""Several processes that answer at one socket. One that dies is started again."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM)
AGAIN_SECONDS = 1.0  # before one that died is started again


class Processes:
    """Runs something in so many children until SIGINT or SIGTERM, which they are told of too. Make none after anything
    was opened: children share what was."""

    def __init__(self, count: int, run: Callable[[], None]) -> None:
        self._count = count
        self._run = run
        self._children: set[int] = set()
        self._stopping = False

    def run(self) -> None:
        """Returns when all have ended."""
        before = {number: signal.signal(number, self._stop) for number in STOPPING}
        try:
            for _ in range(self._count):
                self._start(before)
            while self._children:
                ended, _ = os.wait()
                self._children.discard(ended)
                if not self._stopping:
                    time.sleep(AGAIN_SECONDS)
                    self._start(before)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start(self, handlers: dict[signal.Signals, signal._HANDLER]) -> None:
        if self._stopping:
            return
        child = os.fork()
        if child == 0:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            os._exit(self._run_here())
        self._children.add(child)
        self._tell_late(child)

    def _tell_late(self, child: int) -> None:
        """Where the signal came while it was being started."""
        if self._stopping:
            os.kill(child, signal.SIGTERM)

    def _run_here(self) -> int:
        try:
            self._run()
        except BaseException:  # noqa: BLE001 (a child has nobody to raise to)
            traceback.print_exc()
            return 1
        return 0

    def _stop(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self._stopping = True
        for child in tuple(self._children):
            os.kill(child, signal.SIGTERM)

"""Quick and slow work side by side: a model that thinks for minutes delays nothing that makes messages findable."""

from __future__ import annotations

import time
from collections.abc import Sequence

from recollect.jobs import Chore, Prune, Worker


class Lanes:
    """Two workers that are one to everybody else. Chores and housekeeping are the quick one's."""

    def __init__(self, quick: Worker, slow: Worker) -> None:
        self._quick = quick
        self._slow = slow

    @property
    def running(self) -> bool:
        """Whether both are at work in threads of this process."""
        return self._quick.running and self._slow.running

    @property
    def here(self) -> bool:
        """Whether this is one of the workers' own threads."""
        return self._quick.here or self._slow.here

    def take_on(self, chores: Sequence[Chore], prunes: Sequence[Prune]) -> None:
        self._quick.take_on(chores, prunes)

    def start(self) -> None:
        self._quick.start()
        self._slow.start()

    def wake(self) -> None:
        self._quick.wake()
        self._slow.wake()

    def halt(self) -> None:
        """Begins nothing new from now on."""
        self._quick.halt()
        self._slow.halt()

    def stop(self) -> None:
        """Lets the work at hand end, then returns."""
        self._quick.stop()
        self._slow.stop()

    def run_due(self) -> bool:
        """Does one batch of what is due, of the quick work first. Says whether there was any."""
        return self._quick.run_due() or self._slow.run_due()

    def drain(self, timeout: float) -> None:
        """Returns when no job is open, the slow ones included that quick ones have queued."""
        deadline = time.monotonic() + timeout
        while self._quick.open or self._slow.open:
            for worker in (self._quick, self._slow):
                worker.drain(max(0.0, deadline - time.monotonic()))

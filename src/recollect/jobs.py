"""Background work: claim, run, retry, give up. The same in a thread and in a process of its own."""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from recollect.errors import ClosedError, NotFinished, ProviderError, ProviderRefused, StoreError, told
from recollect.models import Job, Outcome
from recollect.ports import Clock, Jobs

Handler = Callable[[Sequence[Job]], Outcome]
Chore = Callable[[], None]
Prune = Callable[[datetime], int]

LEASE = timedelta(minutes=2)  # after this a job of a silent worker is taken over
CLAIM = 64  # jobs of one kind that are done together
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
MOST_ATTEMPTS = 8  # for work that fails by itself; what waits for a provider or a mended index is never given up
GATHER_SECONDS = 0.05  # new work is left to pile up this long: one batch disturbs those who add less than many
POLL_SECONDS = 1.0  # how soon work that another process queued is noticed
KEEP = timedelta(days=30)
HOUSEKEEPING = timedelta(hours=1)
OUTER = ProviderError | StoreError | ClosedError  # not the work's own fault

log = logging.getLogger(__name__)


class Worker:
    """Drains the outbox. `start` does so in a thread; `run_due` does what is due now and returns."""

    def __init__(
        self, jobs: Jobs, handlers: Mapping[str, Handler], clock: Clock, *, lease: timedelta = LEASE, claim: int = CLAIM
    ) -> None:
        self._jobs = jobs
        self._handlers = handlers
        self._kinds = tuple(handlers)
        self._turns = deque(handlers)
        self._unsettled: deque[Chore] = deque()
        self._clock = clock
        self._lease = lease
        self._claim = claim
        self._chores: tuple[Chore, ...] = ()
        self._prunes: tuple[Prune, ...] = (jobs.prune,)
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._hurry = threading.Event()
        self._thread: threading.Thread | None = None
        self._kept_house = clock() - HOUSEKEEPING

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def open(self) -> int:
        """How many jobs of its kinds are queued or running."""
        return self._jobs.open(self._kinds)

    @property
    def here(self) -> bool:
        """Whether this is the worker's own thread."""
        return self._thread is threading.current_thread()

    def take_on(self, chores: Sequence[Chore], prunes: Sequence[Prune]) -> None:
        """Before it starts: what to do every round, and what to rid, every hour, of what is older than a month."""
        self._chores += tuple(chores)
        self._prunes += tuple(prunes)

    def start(self) -> None:
        self._thread = threading.Thread(target=self.run, name="recollect-worker", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        self._wake.set()

    def halt(self) -> None:
        """Begins nothing new from now on."""
        self._stopping.set()
        self._wake.set()

    def stop(self) -> None:
        """Lets the work at hand end, then returns."""
        self.halt()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Works until `stop`. A store that fails is tried again; what it failed at stays queued."""
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                busy = self.run_due()
            except StoreError as exc:
                log.warning("store failed: %s", told(exc), extra={"action": "worker_store_error", "error": str(exc)})
                busy = False
            if not busy and self._wake.wait(POLL_SECONDS) and not self._hurry.is_set():
                self._stopping.wait(GATHER_SECONDS)

    def run_due(self) -> bool:
        """Does one batch of what is due. Says whether there was any."""
        for chore in self._chores:
            chore()
        self._keep_house()
        self._settle_rest()
        now = self._clock()
        jobs = self._jobs.claim(self._name, tuple(self._turns), now, now + self._lease, self._claim)
        if jobs:
            self._last_in_turn(jobs[0].kind)
            self._run(jobs)
        return bool(jobs)

    def _last_in_turn(self, kind: str) -> None:
        """So that no kind of work waits for ever behind another that keeps coming in."""
        self._turns.remove(kind)
        self._turns.append(kind)

    def drain(self, timeout: float) -> None:
        """Returns when no job is open. Does the work itself where no thread does."""
        self._hurry.set()
        try:
            self._drain(timeout)
        finally:
            self._hurry.clear()

    def _drain(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while self.open:
            self._wake.set()
            worked = not self.running and self.run_due()
            pending = self.open
            if pending and time.monotonic() >= deadline:
                raise NotFinished(self._unfinished(pending, timeout), pending=pending)
            if pending and not worked:
                self._stopping.wait(0.02)

    def _unfinished(self, pending: int, timeout: float) -> str:
        error = self._jobs.last_error()
        reason = f"; last reason: {error}" if error else ""
        return f"{pending} jobs are still open after {timeout:g} s{reason}. They go on in the background"

    def _run(self, jobs: Sequence[Job]) -> None:
        begin = time.perf_counter()
        try:
            outcome = self._handlers[jobs[0].kind](jobs)
        except Exception as exc:  # noqa: BLE001 (every failure becomes the job's state and reason)
            self._failed(jobs, exc)
            return
        if outcome == "more":
            self._settle(partial(self._jobs.again, jobs, self._clock()))
        elif outcome == "done":
            self._settle(partial(self._jobs.finish, jobs, (time.perf_counter() - begin) * 1000, self._clock()))

    def _failed(self, jobs: Sequence[Job], exc: Exception) -> None:
        reason = f"{type(exc).__name__}: {exc}"
        kind, said = jobs[0].kind, told(exc)
        log.warning("job failed: %s, %s", kind, said, extra={"action": "job_failed", "kind": kind, "error": said})
        if len(jobs) > 1 and not isinstance(exc, OUTER):
            for job in jobs:  # one of them is at fault: the others must not wait for it
                self._run([job])
            return
        waits = isinstance(exc, OUTER) and not isinstance(exc, ProviderRefused)
        now = self._clock()
        self._settle(
            *(
                partial(self._jobs.retry, [job], reason, now + pause(job.attempts))
                if waits or job.attempts < MOST_ATTEMPTS
                else partial(self._jobs.fail, [job], reason, now)
                for job in jobs
            )
        )

    def _settle(self, *writes: Chore) -> None:
        """Writes what became of jobs, in order. A store that cannot take it now gets it with the next round: nobody
        waits for the leases to end."""
        self._unsettled.extend(writes)
        self._settle_rest()

    def _settle_rest(self) -> None:
        while self._unsettled:
            self._unsettled[0]()
            self._unsettled.popleft()

    def _keep_house(self) -> None:
        now = self._clock()
        if now - self._kept_house >= HOUSEKEEPING:
            self._kept_house = now
            for prune in self._prunes:
                prune(now - KEEP)


def pause(attempts: int) -> timedelta:
    """Twice as long after every attempt, up to five minutes."""
    doublings = min(max(attempts - 1, 0), 16)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))

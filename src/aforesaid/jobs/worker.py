"""The job worker: claims jobs, runs them, retries failures, and gives up after eight attempts. It runs in a thread or
in its own process.

`WorkerPool` is a pair of workers, one for quick jobs and one for slow jobs, so that a model call never delays indexing.
"""

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

from aforesaid.errors import ClosedError, NotFinished, ProviderError, ProviderRefused, StoreError, log_text
from aforesaid.jobs.foreground import ForegroundCalls
from aforesaid.models.job import Job, JobOutcome
from aforesaid.ports import Clock
from aforesaid.storage.outage_log import OutageLog
from aforesaid.storage.renewal import renewing
from aforesaid.storage.repositories.jobs import Jobs

Handler = Callable[[Sequence[Job]], JobOutcome]
PeriodicTask = Callable[[], None]
PruneTask = Callable[[datetime], int]

LEASE = timedelta(seconds=20)  # after this, another worker takes over the job of a silent one
RENEW_SECONDS = 5.0  # between two renewals of the lease of a running job, however long it runs
CLAIM_BATCH = 64  # jobs of one kind that run together
SMALL_BATCH = 8  # while calls follow each other
LATE = timedelta(seconds=10)  # from then on, a job takes more of the time between calls
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
MOST_ATTEMPTS = 8  # of a job that fails by itself; failures of a provider or the store are retried without limit
GATHER_SECONDS = 0.05  # delay before new jobs run: one batch disturbs writers less than many
POSTPONE_SECONDS = 1.0  # longest delay while calls follow each other
POLL_SECONDS = 1.0  # delay until jobs that another process has queued are noticed
RETENTION = timedelta(days=30)
HOUSEKEEPING = timedelta(hours=1)
EXTERNAL_ERRORS = ProviderError | StoreError | ClosedError  # not caused by the job itself

log = logging.getLogger(__name__)


class Worker:
    """Runs the queued jobs of its kinds: `start` in a thread, `run` in the current one, `run_due` one batch.

    It also runs the `periodic` tasks before every batch, and every hour the `prunes`, which delete entries older than a
    month."""

    def __init__(
        self,
        jobs: Jobs,
        handlers: Mapping[str, Handler],
        clock: Clock,
        *,
        claim: int = CLAIM_BATCH,
        periodic: Sequence[PeriodicTask] = (),
        prunes: Sequence[PruneTask] = (),
        foreground: ForegroundCalls | None = None,
    ) -> None:
        self._jobs = jobs
        self._handlers = handlers
        self._turns = deque(handlers)  # kinds of jobs, the next one first
        self._unsettled: deque[PeriodicTask] = deque()
        self._clock = clock
        self._claim = claim
        self._periodic = periodic
        self._prunes = (jobs.prune, *prunes)
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._foreground = foreground or ForegroundCalls()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._outage = OutageLog(log, "the store of the worker", "worker_store_error")
        self._last_housekeeping = clock() - HOUSEKEEPING

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def open(self) -> int:
        """The number of its jobs that are queued or running."""
        return self._jobs.open(tuple(self._handlers))

    @property
    def is_current_thread(self) -> bool:
        return self._thread is threading.current_thread()

    def start(self) -> None:
        self._thread = threading.Thread(target=self.run, name="aforesaid-worker", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        if not self._wake.is_set():  # else the worker has yet to look for jobs
            self._wake.set()

    def halt(self) -> None:
        """Starts no more jobs."""
        self._stopping.set()
        self._wake.set()

    def stop(self) -> None:
        """Waits for the current jobs, and starts no more."""
        self.halt()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Works until `stop`. If the store fails, its jobs stay queued and are retried."""
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                busy = self.run_due()
            except StoreError as exc:
                self._outage.failed(log_text(exc), str(exc))
                busy = False
            else:
                self._outage.recovered()
            if busy:
                self._foreground.give_way()
            elif self._wake.wait(POLL_SECONDS) and not self._foreground.awaited:
                self._stopping.wait(GATHER_SECONDS)
                self._foreground.wait_for_pause(self._stopping, GATHER_SECONDS, POSTPONE_SECONDS)

    def run_due(self) -> bool:
        """Runs one batch of due jobs. Returns True if there were any."""
        for task in self._periodic:
            task()
        self._prune()
        self._settle()
        now = self._clock()
        limit = min(self._claim, SMALL_BATCH) if self._foreground.busy else self._claim
        jobs = self._jobs.claim(self._name, tuple(self._turns), now, now + LEASE, limit)
        if jobs:
            self._foreground.begin_work(late=now - min(job.created_at for job in jobs) > LATE)
            kind = jobs[0].kind  # becomes the last one, so that no kind waits forever behind another
            self._turns.remove(kind)
            self._turns.append(kind)
            self._run(jobs)
        return bool(jobs)

    def drain(self, timeout: float) -> None:
        """Returns when no job is open. Runs the jobs itself if no thread does."""
        deadline = time.monotonic() + timeout
        with self._foreground.awaiting_work():
            while self.open:
                self._wake.set()
                worked = not self.running and self.run_due()
                pending = self.open
                if pending and time.monotonic() >= deadline:
                    error = self._jobs.last_error()
                    reason = f"; last reason: {error}" if error else ""
                    message = f"{pending} jobs are open after {timeout:g} s{reason}. They continue in the background"
                    raise NotFinished(message, pending=pending)
                if pending and not worked:
                    self._stopping.wait(0.02)

    def _run(self, jobs: Sequence[Job]) -> None:
        begin = time.perf_counter()
        try:
            with renewing(partial(self._renew, jobs), RENEW_SECONDS):  # only jobs of a dead worker are taken over
                outcome = self._handlers[jobs[0].kind](jobs)
        except Exception as exc:  # noqa: BLE001 (every failure becomes the job's state and reason)
            self._fail(jobs, exc)
            return
        if outcome == "more":
            self._settle(partial(self._jobs.again, jobs, self._clock()))
        elif outcome == "done":
            self._settle(partial(self._jobs.finish, jobs, (time.perf_counter() - begin) * 1000, self._clock()))

    def _renew(self, jobs: Sequence[Job]) -> None:
        self._jobs.renew(jobs, self._clock() + LEASE)

    def _fail(self, jobs: Sequence[Job], exc: Exception) -> None:
        reason = f"{type(exc).__name__}: {exc}"
        kind, error = jobs[0].kind, log_text(exc)
        log.warning("job failed: %s, %s", kind, error, extra={"action": "job_failed", "kind": kind, "error": error})
        if len(jobs) > 1 and not isinstance(exc, EXTERNAL_ERRORS):
            for job in jobs:  # one of them fails: the others must not wait for it
                self._run([job])
            return
        external = isinstance(exc, EXTERNAL_ERRORS) and not isinstance(exc, ProviderRefused)
        now = self._clock()
        self._settle(
            *(
                partial(self._jobs.retry, [job], reason, now + retry_delay(job.attempts))
                if external or job.attempts < MOST_ATTEMPTS
                else partial(self._jobs.fail, [job], reason, now)
                for job in jobs
            )
        )

    def _settle(self, *writes: PeriodicTask) -> None:
        """Writes the outcomes of jobs, in order. After a failure of the store, the next round writes the rest."""
        self._unsettled.extend(writes)
        while self._unsettled:
            self._unsettled[0]()
            self._unsettled.popleft()

    def _prune(self) -> None:
        now = self._clock()
        if now - self._last_housekeeping >= HOUSEKEEPING:
            self._last_housekeeping = now
            for prune in self._prunes:
                prune(now - RETENTION)


class WorkerPool:
    """A quick and a slow worker with the interface of one."""

    def __init__(self, quick: Worker, slow: Worker) -> None:
        self._workers = quick, slow

    @property
    def running(self) -> bool:
        """Returns True if both run in threads of this process."""
        return all(worker.running for worker in self._workers)

    @property
    def is_current_thread(self) -> bool:
        return any(worker.is_current_thread for worker in self._workers)

    def start(self) -> None:
        for worker in self._workers:
            worker.start()

    def wake(self) -> None:
        for worker in self._workers:
            worker.wake()

    def halt(self) -> None:
        """Starts no more jobs."""
        for worker in self._workers:
            worker.halt()

    def stop(self) -> None:
        """Waits for the current jobs, and starts no more."""
        for worker in self._workers:
            worker.stop()

    def run_due(self) -> bool:
        """Runs one batch of due jobs, quick ones first. Returns True if there were any."""
        return any(worker.run_due() for worker in self._workers)

    def drain(self, timeout: float) -> None:
        """Returns when no job is open, also none that a quick job has queued for the slow worker."""
        deadline = time.monotonic() + timeout
        while any(worker.open for worker in self._workers):
            for worker in self._workers:
                worker.drain(max(0.0, deadline - time.monotonic()))


def retry_delay(attempts: int) -> timedelta:
    """The pause after a failed attempt. It doubles each time, up to five minutes."""
    doublings = min(max(attempts - 1, 0), 16)
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << doublings))

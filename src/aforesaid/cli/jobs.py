"""The commands `jobs` and `worker`, and the background work that a command does before it ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Annotated

import typer

from aforesaid import Job, Memory, Status
from aforesaid.cli.options import STORE, AsJson, Limit, Store
from aforesaid.cli.output import Table, format_time, note, print_json, print_result, progress, shorten
from aforesaid.cli.status import jobs_line, last_error
from aforesaid.cli.store import open_existing
from aforesaid.errors import StoreError
from aforesaid.models.job import JobState

ERROR_LENGTH = 60
HINTS = {
    "failed": "failed for good; `aforesaid doctor --repair` queues them again",
    "queued": "wait for a worker: `aforesaid worker`, `aforesaid serve`, or a program with a Memory",
}
LOCAL_PREFIX = "static:"  # embedders that run in this process
PATIENCE_SECONDS = 30.0  # after that, a worker does the rest
REFRESH_SECONDS = 0.5  # how often the progress bar moves
POLL_SECONDS = 1.0  # how often a worker looks for new jobs

StopSignals = SimpleQueue[int]  # unlike an Event, a signal handler can fill it while the same thread waits on it


def jobs(
    *,
    state: Annotated[JobState | None, typer.Option(help="Only jobs in this state.")] = None,
    limit: Limit = 50,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List background jobs: failed, running, queued and done, with the reason of a failure.

    Example: aforesaid jobs --state failed
    """
    with open_existing(store) as memory:
        page = memory.jobs(state, limit)
        counts = memory.status().jobs
    columns = ("state", "job", "on", "attempts", "due", "last reason")
    print_result(page, as_json, Table(columns, map(_job_row, page), right=("attempts",)))
    for name, hint in HINTS.items():
        if counts.get(name) and not as_json:
            note(f"{counts[name]:,} {hint}")


def _job_row(job: Job) -> tuple[object, ...]:
    on = "/".join(part for part in (job.space, job.conversation, job.message_id) if part) or "the store"
    due = "" if job.state in ("done", "failed") else format_time(job.due_at)
    return job.state, job.kind, on, job.attempts, due, shorten(job.error or "", ERROR_LENGTH)


def finish_local_jobs(memory: Memory) -> None:
    """Runs the jobs that are due, so that new messages can be recalled by meaning.

    Jobs that need a network, a retry or more than half a minute are left to a worker."""
    status = memory.status()
    used = [model.name for model in status.models if model.state != "retired"]
    if all(name.startswith(LOCAL_PREFIX) for name in used):
        _run_local_jobs(memory, _open_jobs(status))
        status = memory.status()
    if used and _open_jobs(status):
        note(f"jobs left to `aforesaid worker --store {memory.address}`: {_open_jobs(status)}{last_error(memory)}")


def _run_local_jobs(memory: Memory, total: int) -> None:
    begun = refreshed = time.monotonic()
    with progress("embedding") as tick:
        while memory.work() and time.monotonic() - begun < PATIENCE_SECONDS:
            if time.monotonic() - refreshed > REFRESH_SECONDS:
                refreshed = time.monotonic()
                tick(total - _open_jobs(memory.status()), total)


def _open_jobs(status: Status) -> int:
    return status.jobs.get("queued", 0) + status.jobs.get("running", 0)


def worker(
    once: Annotated[bool, typer.Option("--once", help="End when no job is due.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Run the background jobs of a store until Ctrl-C or SIGTERM. The current job is finished first.

    Example: aforesaid worker --store app.db
    """
    with open_existing(store) as memory, stop_signals() as stop:
        if not once:
            note(f"working on {memory.address}; Ctrl-C ends it")
        _run_worker(memory, once, stop)
        left = memory.status().jobs
    if not once:
        note("stopped")
    if as_json:
        print_json(left)


@contextmanager
def stop_signals() -> Iterator[StopSignals]:
    """Queues the first stop signal. A second one ends the process immediately, which loses no data."""
    stop: StopSignals = SimpleQueue()

    def handle(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop.put(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run_worker(memory: Memory, once: bool, stop: StopSignals) -> None:
    while True:
        try:
            _run_due_jobs(memory, stop)
        except StoreError as exc:
            if once:
                raise
            note(f"warning: {exc}; trying again")
        if once or _wait(stop):
            return


def _run_due_jobs(memory: Memory, stop: StopSignals) -> None:
    worked = False
    while stop.empty() and memory.work():
        worked = True
    if worked:
        note(f"worked: {jobs_line(memory.status())}{last_error(memory)}")


def _wait(stop: StopSignals) -> bool:
    """Waits between rounds. Returns True as soon as a stop signal arrives."""
    try:
        stop.get(timeout=POLL_SECONDS)
    except Empty:
        return False
    return True

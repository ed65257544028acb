"""The background work, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Limit, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.text import moment, shortened
from recollect.models import JobState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect import Job

ERROR = 60
HINTS = {
    "failed": "failed for good, until `recollect doctor --repair` queues them again",
    "queued": "wait for a worker: `recollect worker`, `recollect serve`, or a Memory of a program of yours",
}


def jobs(
    *,
    state: Annotated[JobState | None, typer.Option(help="Only those in this state.")] = None,
    limit: Limit = 50,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the background work: what failed and why, what runs, what is queued, what is done.

    Example: recollect jobs --state failed
    """
    with reading(store) as memory:
        found = memory.jobs(state, limit)
        counts = memory.status().jobs
    if as_json:
        print_json(found)
        return
    output().print(
        table(("state", "job", "on", "attempts", "due", "last reason"), map(_row, found), right=("attempts",))
    )
    for name, hint in HINTS.items():
        if counts.get(name):
            note(f"{counts[name]:,} {hint}")


def _row(job: Job) -> Sequence[object]:
    on = "/".join(part for part in (job.space, job.conversation, job.message_id) if part) or "the store"
    due = "" if job.state in ("done", "failed") else moment(job.due_at)
    return job.state, job.kind, on, job.attempts, due, shortened(job.error or "", ERROR)

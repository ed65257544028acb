"""What a store holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import output, print_json, table

if TYPE_CHECKING:
    from rich.table import Table

    from recollect import Memory, Status

STATES = ("queued", "running", "done", "failed")


def status(store: Store = STORE, as_json: AsJson = False) -> None:
    """Say what a store holds and what is still to be done.

    And which models its vectors come from.

    Example: recollect status --store app.db
    """
    with reading(store) as memory:
        found = memory.status()
    if as_json:
        print_json({"store": memory.address, **asdict(found)})
    else:
        output().print(status_table(memory.address, found))


def status_table(store: str, status: Status) -> Table:
    rows = [
        ("store", f"{store} (schema {status.schema_version})"),
        ("holds", holdings(status)),
        ("jobs", jobs_line(status)),
    ]
    for model in status.models:
        reach = f"{model.embedded} of {model.expected} vectors"
        rows.append(("model", f"{model.name}, {model.state}: {reach}, {model.dimension} dimensions"))
    made = table(("", ""), rows)
    made.show_header = False
    return made


def holdings(status: Status) -> str:
    counts = {
        "space": status.spaces,
        "conversation": status.conversations,
        "message": status.messages,
        "chunk": status.chunks,
    }
    return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())


def jobs_line(status: Status) -> str:
    return ", ".join(f"{status.jobs.get(state, 0):,} {state}" for state in STATES)


def reason(memory: Memory) -> str:
    """Why the newest job that has not ended well has not; empty where all is well."""
    errors = [job.error for state in ("failed", "queued") for job in memory.jobs(state, 1) if job.error]
    return f"; last reason: {errors[0]}" if errors else ""

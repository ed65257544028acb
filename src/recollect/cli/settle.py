"""Does the background work that a command has queued, where that needs nobody else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.cli.output import note
from recollect.cli.progress import progress
from recollect.cli.status import reason

if TYPE_CHECKING:
    from recollect import Memory, Status

LOCAL = "wordllama:"  # embedders that run in this process
PATIENCE_SECONDS = 30.0  # then the prompt comes back, and the rest is a worker's
GLANCE_SECONDS = 0.5  # how often the bar moves


def settle(memory: Memory) -> None:
    """Makes what was added findable by meaning. What takes long, a network or another try is left to a worker."""
    status = memory.status()
    used = [model.name for model in status.models if model.state != "retired"]
    if all(name.startswith(LOCAL) for name in used):
        _work(memory, _open(status))
        status = memory.status()
    if used and _open(status):
        note(f"jobs left to `recollect worker --store {memory.address}`: {_open(status)}{reason(memory)}")


def _work(memory: Memory, most: int) -> None:
    """Does what is due, and does not wait for what is not."""
    begun = glanced = time.monotonic()
    with progress("embedding") as tick:
        while memory.work() and time.monotonic() - begun < PATIENCE_SECONDS:
            if time.monotonic() - glanced > GLANCE_SECONDS:
                glanced = time.monotonic()
                tick(most - _open(memory.status()), most)


def _open(status: Status) -> int:
    return status.jobs.get("queued", 0) + status.jobs.get("running", 0)

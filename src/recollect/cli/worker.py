"""Background work in a process of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, print_json
from recollect.cli.status import jobs_line, reason
from recollect.errors import StoreError

if TYPE_CHECKING:
    from recollect import Memory

POLL_SECONDS = 1.0  # how soon new work is noticed

Asked = SimpleQueue[int]  # signals to stop; unlike an Event it may be filled while it is waited on in one thread


def worker(
    once: Annotated[bool, typer.Option("--once", help="End when nothing is due.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Do the background work of a store.

    Until it is told to stop by Ctrl-C or SIGTERM; the work at hand is brought to its end.

    Example: recollect worker --store app.db
    """
    with reading(store) as memory, stop_signals() as asked:
        if not once:
            note(f"working on {memory.address}; Ctrl-C ends it")
        _run(memory, once, asked)
        left = memory.status().jobs
    if not once:
        note("stopped")
    if as_json:
        print_json(left)


@contextmanager
def stop_signals() -> Iterator[Asked]:
    """Turns the first signal into a wish to stop; the second ends the process at once, which loses nothing."""
    asked: Asked = SimpleQueue()

    def ask(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        asked.put(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(memory: Memory, once: bool, asked: Asked) -> None:
    while True:
        try:
            _round(memory, asked)
        except StoreError as exc:
            if once:
                raise
            note(f"warning: {exc}; trying again")
        if once or _wait(asked):
            return


def _round(memory: Memory, asked: Asked) -> None:
    """Does what is due, batch by batch, and says so."""
    worked = False
    while asked.empty() and memory.work():
        worked = True
    if worked:
        note(f"worked: {jobs_line(memory.status())}{reason(memory)}")


def _wait(asked: Asked) -> bool:
    """Rests between rounds. True as soon as somebody wants the worker to stop."""
    try:
        asked.get(timeout=POLL_SECONDS)
    except Empty:
        return False
    return True

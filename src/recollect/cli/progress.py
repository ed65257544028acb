"""How far a long piece of work has come, on standard error, for someone who watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from recollect.cli.output import notes

Tick = Callable[[int, int], None]  # done, total


@contextmanager
def progress(what: str) -> Iterator[Tick]:
    """A bar that is gone when the work is done. Nothing is drawn where standard error is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = notes()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

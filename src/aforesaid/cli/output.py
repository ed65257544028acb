"""Output to the terminal: escaped text, tables, JSON and progress bars.

Data goes to standard output, everything else to standard error. Stored text is escaped and never interpreted."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from aforesaid import __version__

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod
    from rich.table import Table as RichTable

ProgressCallback = Callable[[int, int], None]  # done, total

# Control characters except the line feed (C0, DEL, C1), bidirectional marks, line and paragraph separators, unpaired
# surrogates.
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
TAB = "    "


def escape_text(text: str) -> str:
    """Escapes characters that move the cursor, set a colour or reorder the text."""
    return UNSAFE.sub(_escape, text.replace("\r\n", "\n").replace("\t", TAB))


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def single_line(text: str) -> str:
    """The escaped text on one line."""
    return escape_text(" ".join(text.split()))


def shorten(text: str, length: int) -> str:
    """The beginning of the text on one line of at most `length` characters."""
    line = single_line(text)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def format_time(at: datetime) -> str:
    """A time in the time zone of this machine, to the second."""
    try:
        local = at.astimezone()
    except (OverflowError, OSError):  # the first and last hours of the calendar have no local time everywhere
        local = at
    return local.replace(tzinfo=None).isoformat(" ", "seconds")


def versions() -> dict[str, str]:
    return {"aforesaid": __version__, "python": platform.python_version()}


def print_version() -> None:
    for name, number in versions().items():
        print(name, number)


def make_console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def note(text: str) -> None:
    """Prints one line on standard error."""
    print(single_line(text), file=sys.stderr)


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Prints JSON. Characters that could act on a terminal are escaped inside its strings."""
    ascii_only = "utf" not in (sys.stdout.encoding or "").lower()
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, default=_to_json)
    print(UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text), flush=True)


def _to_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose cells are plain text, never markup. It has no header if all columns are unnamed.

    Columns in `right` are aligned right; columns in `unwrapped` stay on one line."""

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    right: Collection[str] = ()
    unwrapped: Collection[str] = ()

    def __rich__(self) -> RichTable:
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        header = any(self.columns)
        grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False, show_header=header)
        for name in self.columns:
            justify: JustifyMethod = "right" if name in self.right else "left"
            grid.add_column(name, justify=justify, overflow="fold", no_wrap=name in self.unwrapped)
        for row in self.rows:
            grid.add_row(*(Text(escape_text(str(cell))) for cell in row))
        return grid


def show(shown: str | Table) -> None:
    """Prints one line of data, or a table."""
    if isinstance(shown, str):
        print(single_line(shown))
    else:
        make_console().print(shown)


def print_result(value: object, as_json: bool, shown: str | Table, empty: str | None = None) -> None:
    """Prints a result: as JSON, or as one line or a table. `empty` is the note for a result without items."""
    if as_json:
        print_json(value)
    elif value or empty is None:
        show(shown)
    else:
        note(empty)


@contextmanager
def progress(label: str) -> Iterator[ProgressCallback]:
    """A progress bar that disappears at the end. Draws nothing if standard error is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

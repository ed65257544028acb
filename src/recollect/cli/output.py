"""Data goes to standard output, all else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.cli.text import UNSAFE, line, shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def output() -> Console:
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def notes() -> Console:
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def note(text: str) -> None:
    """Tells the user something that is not what they asked for."""
    print(line(text), file=sys.stderr)


def say(text: str) -> None:
    """Prints one line of data."""
    print(line(text))


def print_json(value: object) -> None:
    """JSON that is safe to look at too: what could act on a terminal is escaped inside its strings."""
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    text = json.dumps(value, ensure_ascii=plain, indent=2, default=_record)
    print(UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Collection[str] = ()) -> Table:
    """A table whose cells are shown as they are: what looks like markup is text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for name in columns:
        made.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(str(cell))) for cell in row))
    return made


def _record(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")

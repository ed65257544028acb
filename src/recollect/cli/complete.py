"""Names that a shell can complete, from the store that the line names. Whatever goes wrong, there are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from recollect.cli.opening import reading
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect import Memory

MOST = 1_000  # names looked at: a shell shows no more anyway


def spaces(ctx: typer.Context, incomplete: str) -> list[str]:
    try:
        with _opened(ctx) as memory:
            return _fitting((info.id for info in memory.spaces(MOST)), incomplete)
    except (RecollectError, OSError):
        return []


def conversations(ctx: typer.Context, incomplete: str) -> list[str]:
    space = ctx.params["space"]
    try:
        with _opened(ctx) as memory:
            return _fitting((info.id for info in memory.space(space).conversations(MOST)), incomplete)
    except (RecollectError, OSError):
        return []


def _opened(ctx: typer.Context) -> Memory:
    return reading(ctx.params["store"])


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and name.isprintable()]

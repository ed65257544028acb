"""Tidying a memory up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import note, output, print_json, say, table
from recollect.cli.progress import progress
from recollect.cli.text import shortened
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Consolidated, Consolidation

TEXT = 60
LISTED = 50  # lines of the table; the sums count all


def consolidate(
    *,
    days: Annotated[int, typer.Option(metavar="N", help="Spare what was made or asked for in so many days.")] = 30,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last consolidation back.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Put away what is weak and old, and merge what says the same.

    Shows what it would do, and asks. Nothing is deleted.

    Example: recollect consolidate --space alice --dry-run
    """
    if undo and dry_run:
        raise InvalidInput("give one of --undo and --dry-run")
    with reading(store) as memory:
        refuse_unknown(memory, space)
        mine = memory.space(space)
        with progress("undoing" if undo else "looking"):
            done = mine.undo_consolidation() if undo else mine.consolidate(days=days, dry_run=True)
        if not undo and not dry_run and done.records:
            if not as_json:
                _print(done, "would be")
            if not yes and not typer.confirm("Do it?", err=True):
                raise typer.Exit(1)
            with progress("consolidating"):
                done = mine.consolidate(days=days)
    if as_json:
        print_json(done)
    elif undo:
        say(f"undone: {done.archived} archived and {done.merged} merged memories are back")
    elif dry_run or not done.records:
        _print(done, "would be")
    else:
        say(_sums(done, "were"))


def _print(done: Consolidation, verb: str) -> None:
    if done.records:
        output().print(table(("what", "memory", "strength", "into", "text"), map(_row, done.records[:LISTED])))
    if len(done.records) > LISTED:
        note(f"and {done.archived + done.merged - LISTED} more")
    say(_sums(done, verb))


def _row(one: Consolidated) -> tuple[object, ...]:
    strength = "" if one.strength is None else f"{one.strength:.2f}"
    return one.action, one.id, strength, one.into or "", shortened(one.text, TEXT)


def _sums(done: Consolidation, verb: str) -> str:
    counts = f"{done.archived} archived, {done.merged} merged of {done.looked_at} memories"
    return f"{counts}; {done.tokens} tokens {verb} reclaimed"

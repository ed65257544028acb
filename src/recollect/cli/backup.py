"""A copy of the whole store, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, print_json, say
from recollect.cli.progress import progress


def backup(
    destination: Annotated[Path, typer.Argument(metavar="DEST", help="The file to make.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the file that is there.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Copy a store into one file, while others go on using it.

    The file appears whole or not at all.

    Example: recollect backup backups/monday.db --store app.db
    """
    with reading(store) as memory, progress("copying") as tick:
        made = memory.backup(destination, force=force, progress=tick)
    if as_json:
        print_json(made)
    else:
        say(f"{memory.address} is copied to {made.path}: {made.messages:,} messages, {made.bytes:,} bytes")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that backup made.", show_default=False)],
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store to make.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the store that is there, if nobody uses it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a store of a backup, which is checked first.

    What is damaged or of a newer recollect is refused, and nothing is changed.

    Example: recollect restore backups/monday.db app.db
    """
    from recollect import Memory

    with progress("restoring") as tick:
        made = Memory.restore(backup, store, force=force, progress=tick)
    if made.mended:
        note(f"mended on the way: {', '.join(made.mended)}")
    if as_json:
        print_json(made)
    else:
        say(f"{made.path} is what {backup} was: {made.messages:,} messages of {made.conversations:,} conversations")

"""A space leaves the store as readable files, and comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.opening import reading, writing
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import print_json, say
from recollect.cli.progress import progress
from recollect.cli.settle import settle


def export_space(
    space: Annotated[str, typer.Argument(help="The space to write out.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.", show_default=False)],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Write a space into a folder of readable JSON files.

    Example: recollect export alice backup/alice
    """
    with reading(store) as memory, progress("exporting") as tick:
        written = memory.space(space).export(folder, progress=tick)
    if as_json:
        print_json({"space": space, "folder": str(written)})
    else:
        say(f"exported {space} to {written}")


def import_space(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An exported space.", show_default=False)],
    name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="Another name for it than its own.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Put an exported space back. Repeating it changes nothing.

    Example: recollect import backup/alice --as alice-copy
    """
    with writing(store) as memory:
        with progress("importing") as tick:
            space = memory.import_space(folder, space=name, progress=tick)
        settle(memory, store)
        info = space.info()
    if as_json:
        print_json(info)
    else:
        say(f"imported {space.id}: {info.messages if info else 0} messages")

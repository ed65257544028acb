"""A space leaves the store as readable files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import print_json, say
from recollect.cli.progress import progress


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

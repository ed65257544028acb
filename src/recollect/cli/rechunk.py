"""Splits stored messages anew."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.opening import writing
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import print_json, say
from recollect.cli.progress import progress
from recollect.cli.settle import settle


def rechunk(
    space: Annotated[str, typer.Argument(help="The space whose messages to split.", show_default=False)],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Split stored messages into chunks anew, as the settings are now. Interrupted, it can be called again.

    Example: recollect rechunk alice
    """
    with writing(store) as memory:
        with progress("splitting") as tick:
            changed = memory.space(space).rechunk(progress=tick)
        settle(memory)
    if as_json:
        print_json({"space": space, "changed": changed})
    else:
        say(f"{changed} messages of {space} were split anew")

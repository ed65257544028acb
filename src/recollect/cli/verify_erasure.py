"""Is a text really gone?"""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.exits import OTHER
from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.progress import progress


def verify_erasure(
    text: Annotated[str, typer.Argument(help="What must not be there any more.", show_default=False)],
    space: Annotated[str | None, typer.Option(metavar="NAME", help="Look at what this space has of it only.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Look for a text in every table and in the bytes of every file of the store. Exit code 1: it is there.

    Words of six letters and more that no message has any more are looked for by themselves.

    Example: recollect verify-erasure "my sister moved to Lisbon"
    """
    with reading(store) as memory:
        if space is not None:
            refuse_unknown(memory, space)
        with progress("looking"):
            seen = memory.verify_erasure(text, space=space)
    if as_json:
        print_json(seen)
    elif seen.found:
        rows = [(place.where, place.at, place.what) for place in seen.found]
        output().print(table(("where", "at", "what"), rows))
    looked = f"{len(seen.tables)} tables, {len(seen.files)} files, {seen.bytes:,} bytes, {seen.words} words"
    note(f"{'not a trace' if seen.clean else f'found in {len(seen.found)} places'}; looked at {looked}")
    if not seen.clean:
        raise typer.Exit(OTHER)

"""A space comes back, or another program's conversations come in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import writing
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, say, table
from recollect.cli.progress import progress
from recollect.cli.settle import settle
from recollect.errors import InvalidInput
from recollect.models import IMPORT_FORMATS
from recollect.models import ImportFormat as Format

if TYPE_CHECKING:
    from recollect import Imported

MANIFEST = "manifest.json"  # what an exported space has


def import_(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="An exported space, or another program's export.", show_default=False)
    ],
    *,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="For an exported space: another name than its own.")
    ] = None,
    space: Annotated[str | None, typer.Option("--space", metavar="NAME", help="Whose memory; default.")] = None,
    format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}; found out unless told.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would come in, and store nothing.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Put an exported space back, or take in what ChatGPT, Claude, LangChain or mem0 exported.

    Repeating it adds only what is new. Broken off, it is completed by repeating it.

    Example: recollect import chatgpt-export.zip --space alice
    """
    if (path / MANIFEST).is_file():
        if space is not None or format is not None or dry_run:
            raise InvalidInput(f"{path} is an exported space, which has a name: --as NAME gives it another")
        _own(path, name, store, as_json=as_json)
        return
    if name is not None:
        raise InvalidInput(f"{path} is no exported space (it has no {MANIFEST}): say with --space whose memory it is")
    _foreign(path, (space or SPACE, format), store, dry_run=dry_run, as_json=as_json)


def _own(folder: Path, name: str | None, store: str, *, as_json: bool) -> None:
    with writing(store) as memory:
        with progress("importing") as tick:
            space = memory.import_space(folder, space=name, progress=tick)
        settle(memory)
        info = space.info()
    if as_json:
        print_json(info)
    else:
        say(f"imported {space.id}: {info.messages if info else 0} messages")


def _foreign(path: Path, wanted: tuple[str, str | None], store: str, *, dry_run: bool, as_json: bool) -> None:
    space, format = wanted
    if path.is_file() and not path.stat().st_size:
        raise InvalidInput(f"{path} is empty; give the file that the other program has exported")
    with writing(store) as memory:
        with progress("importing") as tick:
            done = memory.space(space).import_chats(path, format=_known(format), dry_run=dry_run, progress=tick)
        if not dry_run:
            settle(memory)
    if as_json:
        print_json(done)
        return
    output().print(table(("", "number"), _rows(done), right=("number",)))
    if dry_run:
        note("nothing was stored")


def _known(format: str | None) -> Format | None:
    found = next((known for known in IMPORT_FORMATS if known == format), None)
    if format is not None and found is None:
        raise InvalidInput(f"format must be one of {', '.join(IMPORT_FORMATS)}, not {format!r}")
    return found


def _rows(done: Imported) -> list[tuple[str, int]]:
    counts = [
        ("conversations", done.conversations),
        ("new messages", done.messages),
        ("known already", done.known),
        ("changed since, left as they are", done.changed),
        ("facts to review", done.facts),
    ]
    return [*counts, *((f"left out: {reason}", number) for reason, number in done.skipped.items())]

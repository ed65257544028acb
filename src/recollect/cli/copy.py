"""A whole store goes over into another one, of whatever kind."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, writing
from recollect.cli.options import AsJson
from recollect.cli.output import note, print_json, say
from recollect.cli.progress import progress
from recollect.cli.settle import settle
from recollect.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from recollect import Memory, SpaceInfo

PAGE = 100
OWN = {"audit.json"}  # each store notes for itself who exported and imported


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of a space: `new` where something of it was not there yet."""

    space: str
    messages: int
    new: bool


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The store to copy.", show_default=False)],
    destination: Annotated[
        str,
        typer.Argument(metavar="DEST", help="The store to copy it into.", show_default=False),
    ],
    *,
    space: Annotated[
        list[str] | None, typer.Option("--space", metavar="NAME", help="This space only; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy all spaces of a store into another: a file into PostgreSQL, or back.

    Each space is compared afterwards, file by file of its export. Broken off, it goes on where it was when repeated.

    Example: recollect copy app.db postgresql://recollect@localhost/memory
    """
    if source == destination:
        raise InvalidInput("SOURCE and DEST are the same store")
    with reading(source) as here, writing(destination) as there:
        wanted = [info for info in _spaces(here) if not space or info.id in space]
        for name in set(space or ()) - {info.id for info in wanted}:
            raise InvalidInput(f"{source} has no space {name!r}")
        copied = [_copied(here, there, info) for info in wanted]
        settle(there, destination)
    if as_json:
        print_json(copied)
    else:
        say(f"copied {len(copied)} spaces with {sum(one.messages for one in copied)} messages, and compared them")


def _spaces(memory: Memory) -> Iterator[SpaceInfo]:
    after: str | None = None
    while page := memory.spaces(PAGE, after=after):
        yield from page
        after = page[-1].id


def _copied(here: Memory, there: Memory, info: SpaceInfo) -> Copied:
    with tempfile.TemporaryDirectory(prefix="recollect-copy-") as folder:
        with progress(f"reading {info.id}") as tick:
            said = here.space(info.id).export(Path(folder) / "said", progress=tick)
        wanted = _digests(said)
        if there.space(info.id).info() is not None and _digests(_heard(there, info.id, folder, "before")) == wanted:
            note(f"{info.id}: there already")
            return Copied(info.id, info.messages, False)
        with progress(f"writing {info.id}") as tick:
            there.import_space(said, progress=tick)
        found = _digests(_heard(there, info.id, folder, "after"))
    differing = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if differing:
        raise StoreError(
            f"space {info.id!r} differs after the copy in {', '.join(differing)}: it was there already and has changed "
            "since, here or there, or somebody is writing to it. Delete it in the destination, and repeat"
        )
    note(f"{info.id}: {info.messages} messages")
    return Copied(info.id, info.messages, True)


def _heard(memory: Memory, space: str, folder: str, name: str) -> Path:
    with progress(f"comparing {space}") as tick:
        return memory.space(space).export(Path(folder) / name, progress=tick)


def _digests(folder: Path) -> dict[str, str]:
    files = (file for file in folder.iterdir() if file.name not in OWN)
    return {file.name: _digest(file) for file in files if file.name != "manifest.json"}


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()

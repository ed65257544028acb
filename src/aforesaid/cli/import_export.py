"""The commands `export` and `import`: write a space as JSON files, and read it or another program's export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aforesaid import ImportReport
from aforesaid.cli.exit_codes import OTHER
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import SPACE, STORE, AsJson, DryRun, Store
from aforesaid.cli.output import Table, note, print_result, progress
from aforesaid.cli.store import open_existing, open_or_create
from aforesaid.errors import InvalidInput
from aforesaid.models.transfer import IMPORT_FORMATS

DAMAGED = "damaged.json"  # names the records that an export leaves out
MANIFEST = "manifest.json"  # a file that every exported space has
_LEFT_OUT = "the table shows why its records were left out"


def export(
    space: Annotated[str, typer.Argument(help="The space to export.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.", show_default=False)],
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Export a space into a folder of readable JSON files.

    Example: aforesaid export alice backup/alice
    """
    with open_existing(store) as memory, progress("exporting") as tick:
        written = memory.space(space).export(folder, progress=tick)
    print_result({"space": space, "folder": str(written)}, as_json, f"exported {space} to {written}")
    if (written / DAMAGED).exists():
        note(f"damaged records were left out: {written / DAMAGED} names them")


def import_(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="An exported space, or another program's export.", show_default=False)
    ],
    *,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="A different name for an exported space.")
    ] = None,
    space: Annotated[
        str | None, typer.Option("--space", metavar="NAME", help="The space for another program's export.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}, or a name of an installed package; else detected."
        ),
    ] = None,
    me: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your name in chats between people: what it wrote is yours.")
    ] = None,
    dry_run: DryRun = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Import an exported space, or the history of another program: ChatGPT, Claude Code, Telegram and others.

    Repeating it adds only new messages, and completes an interrupted import. The command fails if there is no message
    to store.

    Example: aforesaid import chatgpt-export.zip --space alice
    """
    if (path / MANIFEST).is_file():
        if any(option is not None for option in (space, format, me)) or dry_run:
            raise InvalidInput(f"{path} is an exported space with a name; --as NAME changes the name")
        _import_space(path, name, store, as_json)
        return
    if name is not None:
        raise InvalidInput(f"{path} is not an exported space (it has no {MANIFEST}); name the space with --space")
    if path.is_file() and not path.stat().st_size:
        raise InvalidInput(f"{path} is empty; give the file that the other program exported")
    with open_or_create(store) as memory:
        with progress("importing") as tick:
            target = memory.space(space or SPACE)
            done = target.import_chats(path, format=format, me=me, dry_run=dry_run, progress=tick)
        if not dry_run:
            finish_local_jobs(memory)
    print_result(done, as_json, Table(("", "number"), _import_rows(done), right=("number",)))
    if not (done.messages or done.known or done.changed):
        note(f"{path} has no message to store; {_LEFT_OUT if done.skipped else 'it is empty'}")
        raise typer.Exit(OTHER)
    if dry_run and not as_json:
        note("nothing was stored")


def _import_space(folder: Path, name: str | None, store: str, as_json: bool) -> None:
    with open_or_create(store) as memory:
        with progress("importing") as tick:
            space = memory.import_space(folder, space=name, progress=tick)
        finish_local_jobs(memory)
        info = space.info()
    print_result(info, as_json, f"imported {space.id}: {info.messages if info else 0} messages")


def _import_rows(report: ImportReport) -> list[tuple[str, int]]:
    counts = [
        ("conversations", report.conversations),
        ("new messages", report.messages),
        ("already stored", report.known),
        ("stored with other text, not changed", report.changed),
        ("facts to review", report.facts),
    ]
    return [*counts, *((f"left out: {reason}", number) for reason, number in report.skipped.items())]

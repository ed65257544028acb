"""The commands `backup`, `restore`, `rekey` and `copy`, which work on a whole store."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from aforesaid import Memory, SpaceCopy
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import STORE, AsJson, Store
from aforesaid.cli.output import Table, note, print_result, progress
from aforesaid.cli.store import open_existing, open_or_create
from aforesaid.errors import InvalidInput

StoreAddress = "A file, or postgresql://…"


def backup(
    destination: Annotated[Path, typer.Argument(metavar="DEST", help="The file to create.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    damaged: Annotated[bool, typer.Option("--damaged", help="Copy damaged records as they are.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Copy a store into one file while others use it. The file appears complete or not at all.

    Example: aforesaid backup backups/monday.db --store app.db
    """
    with open_existing(store) as memory, progress("copying") as tick:
        made = memory.backup(destination, force=force, damaged=damaged, progress=tick)
    counts = f"{made.messages:,} messages, {made.bytes:,} bytes"
    counts += f", {made.damaged:,} damaged records" if made.damaged else ""
    print_result(made, as_json, f"{memory.address} is copied to {made.path}: {counts}")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that backup made.", show_default=False)],
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store to create.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing store that nobody uses.")] = False,
    as_json: AsJson = False,
) -> None:
    """Create a store from a backup, which is checked first.

    A backup that is damaged or made by a newer aforesaid is refused, and nothing changes.

    Example: aforesaid restore backups/monday.db app.db
    """
    with progress("restoring") as tick:
        made = Memory.restore(backup, store, force=force, progress=tick)
    if made.mended:
        note(f"repaired: {', '.join(made.mended)}")
    counts = f"{made.messages:,} messages of {made.conversations:,} conversations"
    print_result(made, as_json, f"{made.path} is restored from {backup}: {counts}")


def rekey(
    new_key_file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The file with the new key: a passphrase, or 64 hex digits.")
    ] = None,
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Remove the encryption.")] = False,
    key_file: Annotated[
        Path | None,
        typer.Option(
            envvar="AFORESAID_KEY_FILE", metavar="PATH", help="The file with the key; none: it is not encrypted."
        ),
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Change the key of a store, encrypt a plain one, or decrypt it. No process may have it open.

    After a crash, the store has the old key or the new one. Backups keep their key.

    Example: aforesaid rekey --new-key-file new.key --store app.db
    """
    if decrypt == (new_key_file is not None):
        raise InvalidInput("give one of --new-key-file and --decrypt")
    with progress("rewriting"):
        Memory.rekey(store, key=key_file, new_key=new_key_file)
    state = "is no longer encrypted" if decrypt else "has the new key"
    print_result({"store": store, "encrypted": not decrypt}, as_json, f"{store} {state}")


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=StoreAddress, show_default=False)],
    target: Annotated[str, typer.Argument(metavar="DEST", help=StoreAddress, show_default=False)],
    *,
    space: Annotated[
        list[str] | None, typer.Option("--space", metavar="NAME", help="Only this space, without keys; repeatable.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Remove the spaces of the same names from DEST, and copy again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a whole store into another one, and verify that both contain the same data.

    Repeating it copies the changes since, and completes an interrupted copy. Without --replace, it never overwrites
    changes that were made in DEST. Vectors are computed again in DEST; jobs, retrievals, receipts, costs and
    the records of erasures are not copied.

    Example: aforesaid copy app.db postgresql://aforesaid@db.example.org/aforesaid
    """
    with open_existing(source) as memory, _open_target(target, memory) as other, ExitStack() as bar:
        tick = bar.enter_context(progress("copying"))

        def settle() -> None:
            bar.close()
            finish_local_jobs(other)

        done = memory.copy_to(other, spaces=space, progress=tick, tell=_report_space, replace=replace, settle=settle)
    rows = [("spaces", done.spaces), ("keys", done.keys), *sorted(done.records.items())]
    print_result(done, as_json, Table(("the same in both", "number"), rows, right=("number",)))


def _open_target(target: str, source: Memory) -> Memory:
    """Opens DEST. A new store gets the embedder of the source."""
    with Memory(target, worker=False, embedder="none") as existing:
        has_models = bool(existing.status().models)
    if has_models:
        return open_or_create(target)
    embedder = next((model.name for model in source.status().models if model.state == "serving"), "none")
    try:
        return Memory(target, worker=False, embedder=embedder)
    except InvalidInput:
        note(f"warning: {embedder!r} is not an embedder's name; open {existing.address} with it to make vectors")
        return Memory(target, worker=False, embedder="none")


def _report_space(done: SpaceCopy) -> None:
    state = "copied" if done.written else "unchanged"
    note(f"{done.space}: {state}, {done.records.get('messages', 0)} messages, {sum(done.records.values())} records")

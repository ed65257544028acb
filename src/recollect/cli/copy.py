"""A store moves: from a file to a server, back, or to another file."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, writing
from recollect.cli.options import AsJson
from recollect.cli.output import note, output, print_json, table
from recollect.cli.progress import progress
from recollect.cli.settle import settle
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Copied, CopiedSpace, Memory


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A file, or postgresql://…", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="DEST", help="A file, or postgresql://…", show_default=False)],
    *,
    space: Annotated[
        list[str] | None, typer.Option("--space", metavar="NAME", help="This space only, without keys; repeatable.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up what DEST has under the same names, and copy anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a whole store into another one, and prove that both hold the same.

    Repeating it copies what has changed, as long as nobody uses the copy; what somebody does there is never overwritten
    without --replace. Broken off, it is completed by repeating it. Vectors are made anew; jobs, retrievals, receipts,
    costs and the records of erasures stay where they are.

    Example: recollect copy app.db postgresql://recollect@db.example.org/recollect
    """
    with reading(source) as memory, _target(target, memory) as other, ExitStack() as bar:
        tick = bar.enter_context(progress("copying"))
        rest = partial(_settle, bar, other)
        done = memory.copy_to(other, spaces=space, progress=tick, tell=_tell, replace=replace, settle=rest)
    if as_json:
        print_json(asdict(done))
    else:
        _show(done)


def _target(target: str, source: Memory) -> Memory:
    """Opens DEST. One that is new goes on with the source's embedder."""
    from recollect import Memory

    with Memory(target, worker=False, embedder="none") as looked:
        known = bool(looked.status().models)
    if known:
        return writing(target)
    wanted = next((model.name for model in source.status().models if model.state == "serving"), None)
    if wanted is None:
        return Memory(target, worker=False, embedder="none")
    try:
        return Memory(target, worker=False, embedder=wanted)
    except InvalidInput:
        note(f"warning: {wanted!r} is no embedder's name; vectors are made once {looked.address} is opened with it")
        return Memory(target, worker=False, embedder="none")


def _settle(bar: ExitStack, memory: Memory) -> None:
    bar.close()
    settle(memory)


def _tell(done: CopiedSpace) -> None:
    how = "copied" if done.written else "there already"
    note(f"{done.space}: {how}, {done.records.get('messages', 0)} messages, {sum(done.records.values())} records")


def _show(done: Copied) -> None:
    rows = [("spaces", done.spaces), ("keys", done.keys), *sorted(done.records.items())]
    output().print(table(("the same in both", "number"), rows, right=("number",)))

"""Erases something and all that came from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.ids import fact_id
from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Store
from recollect.cli.options import Space as SpaceName
from recollect.cli.output import note, output, print_json, table
from recollect.cli.progress import progress

if TYPE_CHECKING:
    from recollect import Erasure


def forget(
    message: Annotated[str | None, typer.Option(metavar="ID", help="A message.")] = None,
    conversation: Annotated[str | None, typer.Option(metavar="NAME", help="A whole conversation.")] = None,
    fact: Annotated[
        str | None, typer.Option(metavar="ID", help="A fact, by its id or the beginning of it; its words stay.")
    ] = None,
    before: Annotated[str | None, typer.Option(metavar="TIME", help="All messages from before it.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that the space holds.")] = False,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Erase one thing and all that came from it, from every table and from the store's files.

    Shows first what would go, and asks. There is no way back.

    Example: recollect forget --conversation trip --space alice
    """
    with reading(store) as memory:
        refuse_unknown(memory, space)
        of = memory.space(space)
        fact = None if fact is None else fact_id(of, fact)
        seen = of.forget(
            message=message, conversation=conversation, fact=fact, before=before, everything=everything, dry_run=True
        )
        if not as_json:
            _show(seen)
        if not dry_run and not yes:
            typer.confirm("Erase this for good?", abort=True, err=True)
        done = seen
        if not dry_run:
            with progress("erasing, and scrubbing the files"):
                done = of.forget(
                    message=message, conversation=conversation, fact=fact, before=before, everything=everything
                )
    if as_json:
        print_json(done)
    elif not dry_run:
        note("erased" if done.complete else f"erased; a worker still scrubs: {', '.join(done.pending)}")


def _show(erasure: Erasure) -> None:
    parts = (("erased", erasure.erased), ("made anew", erasure.recomputed), ("kept", erasure.kept))
    rows = [(name, part.kind, part.count, part.reason) for name, portions in parts for part in portions]
    output().print(table(("what", "kind", "count", "why"), rows, right=("count",)))

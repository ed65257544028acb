"""Makes a store, and says how to go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, print_json, say

if TYPE_CHECKING:
    from recollect import Status

NEXT = (
    'recollect add trip "We settled on Lisbon in May."',
    'recollect recall "where are we going?"',
    "recollect serve",
)


def init(
    embedder: Annotated[
        str | None,
        typer.Option(metavar="EMBEDDER", help="What makes vectors, as wordllama:256, ollama:… or openai:…."),
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Make a store, and say what to do next. A store that is there already stays as it is.

    With another embedder than it has, its vectors are made anew in the background, beside the old ones.

    Example: recollect init --store app.db
    """
    from recollect import Memory

    there = Path(store).exists()
    with Memory(store, embedder=embedder, worker=False) as memory:
        status = memory.status()
    if as_json:
        made = {"made": not there, "schema_version": status.schema_version, "models": status.models}
        print_json({"store": store, **made})
        return
    say(f"{store} is {'there already' if there else 'made'}: schema {status.schema_version}, {_embedders(status)}")
    if not there:
        where = "" if store == STORE else f" --store {store}"
        note("next:")
        for line in NEXT:
            note(line + where)


def _embedders(status: Status) -> str:
    return ", ".join(f"{model.name} ({model.state})" for model in status.models) or "no embedder"

"""A question comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Limit, Space, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.text import moment, shortened

if TYPE_CHECKING:
    from rich.table import Table

    from recollect import Hit, Hits

EXCERPT = 160
PARTS = ("score", "dense", "lexical", "ident")


def recall(
    query: Annotated[str, typer.Argument(help="A question, words or an identifier.", show_default=False)],
    *,
    space: Space = SPACE,
    conversation: Annotated[str | None, typer.Option(metavar="NAME", help="Look in this conversation only.")] = None,
    limit: Limit = 10,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find the messages that answer a question.

    By meaning, by words and by identifiers; each part of the score is shown.

    Example: recollect recall "where are we going in May?" --limit 3
    """
    with reading(store) as memory:
        found = memory.space(space).recall(query, limit, conversation=conversation)
        if not found:
            refuse_unknown(memory, space)
    for warning in found.warnings:
        note(f"warning: {warning}")
    if as_json:
        print_json(found)
    elif found:
        output().print(hits_table(found))
    else:
        note("nothing found")


def hits_table(hits: Hits) -> Table:
    """Hits, best first, with the parts of each score."""
    return table((*PARTS, "from", "text"), map(_row, hits), right=PARTS)


def _row(hit: Hit) -> tuple[str, ...]:
    score, message = hit.score, hit.message
    parts = (score.total, score.dense, score.lexical, score.identifier)
    origin = f"{hit.kind} in {hit.conversation}"
    if message is not None:
        origin = f"{message.role} in {message.conversation}\n{moment(message.created_at)}"
    return (*(f"{part:.2f}" for part in parts), origin, shortened(hit.text, EXCERPT))

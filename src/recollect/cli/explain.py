"""Why a context is as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.context import MaxTokens, RecipeName
from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Space, Store
from recollect.cli.output import note, output, print_json, table
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Receipt

COLUMNS = ("section", "", "kind", "tokens", "score", "id", "why")


def explain(
    receipt: Annotated[str | None, typer.Argument(metavar="[RECEIPT]", help="A receipt's id.")] = None,
    *,
    query: Annotated[str | None, typer.Option(metavar="TEXT", help="A question, instead of a receipt.")] = None,
    conversation: Annotated[str | None, typer.Option(metavar="NAME", help="The conversation that goes on.")] = None,
    space: Space = SPACE,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to look at.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Say what is in a context and why, and what was left out and why.

    By a receipt's id, or for a question asked now.

    Example: recollect explain --query "where are we going?" --conversation trip
    """
    if (receipt is None) == (query is None) or (query is not None and conversation is None):
        raise InvalidInput("name a receipt, or give --query and --conversation")
    with reading(store) as memory:
        if receipt is not None:
            found = memory.receipt(receipt)
        else:
            refuse_unknown(memory, space)
            chat = memory.space(space).conversation(conversation or "")
            found = chat.context(query, recipe=recipe, max_tokens=max_tokens).receipt
    if html is not None:
        html.write_text(found.to_html(), "utf-8")
        note(f"wrote {html}")
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)


def _print(found: Receipt) -> None:
    output().print(table(COLUMNS, found.table(), right=("tokens", "score")))
    for name in found.degraded:
        note(f"could not be had: {name}")
    for warning in found.warnings:
        note(f"warning: {warning}")
    used = ", ".join(f"{name} {tokens}" for name, tokens in found.sections.items())
    note(f"{found.tokens} of {found.max_tokens} tokens ({used}); {found.prefix_tokens} stay the same; {found.id}")

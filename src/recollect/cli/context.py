"""What the model will see."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Space, Store
from recollect.cli.output import note, output, print_json
from recollect.cli.text import shown

if TYPE_CHECKING:
    from recollect import Context

ConversationOption = Annotated[
    str, typer.Option("--conversation", metavar="NAME", help="The conversation that goes on.", show_default=False)
]
RecipeName = Annotated[str, typer.Option("--recipe", metavar="NAME", help="How it is filled.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", metavar="N", help="Tokens at most; the recipe's.")]


class Format(StrEnum):
    TEXT = "text"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    JSON = "json"


def context(
    query: Annotated[str | None, typer.Argument(help="The question; else the newest user message.")] = None,
    *,
    conversation: ConversationOption,
    space: Space = SPACE,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT", help="The system text.")] = None,
    domain: Annotated[str | None, typer.Option(metavar="TEXT", help="What the domain adds to it.")] = None,
    format: Annotated[Format, typer.Option("--format", help="How it is printed.")] = Format.TEXT,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what a model would see: history, pins, and what is recalled for the question.

    Within the tokens that are given. `recollect explain` says why each part is there.

    Example: recollect context "where are we going?" --conversation trip --max-tokens 1000
    """
    with reading(store) as memory:
        refuse_unknown(memory, space)
        chat = memory.space(space).conversation(conversation)
        made = chat.context(query, recipe=recipe, max_tokens=max_tokens, system=system, domain=domain)
    for warning in made.warnings:
        note(f"warning: {warning}")
    _print(made, Format.JSON if as_json else format)
    note(f"{made.tokens} of {made.budget.total} tokens; receipt {made.receipt.id}")


def _print(made: Context, format: Format) -> None:
    if format is Format.OPENAI:
        print_json(made.to_openai())
    elif format is Format.ANTHROPIC:
        print_json(made.to_anthropic())
    elif format is Format.JSON:
        print_json({"messages": made.to_openai(), "receipt": made.receipt.to_dict()})
    else:
        output().print(shown(made.text), soft_wrap=True)

"""The commands `context`, `explain` and `why`: the context of a model, its receipt, and what kept a message out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

import typer

from aforesaid import Context, Receipt, ReceiptEntry, Score, Why
from aforesaid.cli.options import (
    SPACE,
    STORE,
    AnyConversation,
    AsJson,
    ConversationName,
    MetadataFilter,
    OtherSpaces,
    SpaceName,
    Store,
    parse_metadata_filter,
)
from aforesaid.cli.output import Table, escape_text, make_console, note, print_json, show
from aforesaid.cli.store import open_existing, open_space, require_space
from aforesaid.errors import InvalidInput

PARTS = tuple(field.name for field in fields(Score))
LONGEST_SAID = 120  # characters of a message that are shown
RECEIPT_COLUMNS = ("section", "", "kind", "tokens", "score", "id", "why")

Question = Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="Default: the newest user message.")]
RecipeName = Annotated[str, typer.Option("--recipe", metavar="NAME", help="How the context is filled.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", help="The token limit. Default: the recipe's.")
]
ContextFormat = Literal["text", "openai", "anthropic", "json"]


def context(
    conversation: ConversationName,
    question: Question = None,
    *,
    space: SpaceName = SPACE,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT", help="The system text.")] = None,
    domain: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Text of the domain, after the system text.")
    ] = None,
    filter: MetadataFilter = None,
    also: OtherSpaces = None,
    format: Annotated[ContextFormat, typer.Option("--format", help="The form of the output.")] = "text",
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show the context that a model gets: history, pins, and text recalled for the question.

    It never exceeds its token limit. `aforesaid explain` shows the reason for each part. `--also` recalls messages,
    facts and pins of other spaces too.

    Example: aforesaid context trip "where are we going?" --max-tokens 1000
    """
    bounds = parse_metadata_filter(filter)
    with open_existing(store) as memory:
        own, *others = [require_space(memory, name) for name in (space, *(also or ()))]
        made = own.conversation(conversation).context(
            question,
            recipe=recipe,
            max_tokens=max_tokens,
            system=system,
            domain=domain,
            filter=bounds,
            spaces=[other.id for other in others],
        )
    for warning in made.warnings:
        note(f"warning: {warning}")
    _print_context(made, "json" if as_json else format)
    note(f"{made.tokens} of {made.budget.total} tokens; receipt {made.receipt.id}")


def _print_context(made: Context, format: ContextFormat) -> None:
    if format == "openai":
        print_json(made.to_openai())
    elif format == "anthropic":
        print_json(made.to_anthropic())
    elif format == "json":
        print_json({"messages": made.to_openai(), "receipt": made.receipt.to_dict()})
    else:
        make_console().print(escape_text(made.text), soft_wrap=True)


def explain(
    conversation: AnyConversation = None,
    question: Question = None,
    *,
    receipt: Annotated[str | None, typer.Option(metavar="ID", help="The receipt of an earlier context.")] = None,
    space: SpaceName = SPACE,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    words: Annotated[bool, typer.Option("--words", help="Show the words of each item instead of its id.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write an HTML page.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show the items of a context and the items that were left out, with reasons.

    The context is built now for a conversation, or is an earlier one, named by its receipt.

    Example: aforesaid explain trip "where are we going?"
    """
    if (receipt is None) == (conversation is None):
        raise InvalidInput("name a conversation, or give --receipt")
    said: Sequence[ReceiptEntry] = ()
    with open_existing(store) as memory:
        if conversation is None:
            explained = memory.receipt(receipt or "")
        else:
            chat = require_space(memory, space).conversation(conversation)
            explained = chat.context(question, recipe=recipe, max_tokens=max_tokens).receipt
        if words:
            said = memory.space(explained.space).receipt_items(explained.id)
    if html is not None:
        html.write_text(explained.to_html(), "utf-8")
        note(f"wrote {html}")
    if as_json:
        record = {"entries": [entry.to_dict() for entry in said]} if words else {}
        print_json(explained.to_dict() | record)
    else:
        _print_receipt(explained, said)


def _print_receipt(receipt: Receipt, said: Sequence[ReceiptEntry]) -> None:
    rows, columns = receipt.table(), list(RECEIPT_COLUMNS)
    if said:
        columns[columns.index("id")] = "words"
        rows = [(*row[:5], _shortened(entry), row[6]) for row, entry in zip(rows, said, strict=True)]
    show(Table(columns, rows, right=("tokens", "score")))
    for name in receipt.degraded:
        note(f"not available: {name}")
    for warning in receipt.warnings:
        note(f"warning: {warning}")
    used = ", ".join(f"{name} {tokens}" for name, tokens in receipt.sections.items())
    tokens = f"{receipt.tokens} of {receipt.max_tokens} tokens ({used})"
    note(f"{tokens}; {receipt.prefix_tokens} in the stable prefix; {receipt.id}")


def _shortened(entry: ReceiptEntry) -> str:
    speaker = f"{entry.speaker}: " if entry.speaker else ""
    return _cut(speaker + " ".join(entry.text.split())) or entry.item.id


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + "…"


def why(
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="The id of a message, or words of it.")],
    conversation: AnyConversation = None,
    question: Question = None,
    *,
    receipt: Annotated[str | None, typer.Option(metavar="ID", help="The receipt of an earlier context.")] = None,
    message_space: Annotated[
        str | None, typer.Option(metavar="NAME", help="The space of the message. Default: that of the context.")
    ] = None,
    space: SpaceName = SPACE,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show why a message is in a context, or what kept it out: its rank, its score and its tokens.

    The context is built now for a conversation, or is an earlier one, named by its receipt. The parts of the score
    stand beside those of the last item that got in.

    Example: aforesaid why "along the south wall" trip "where are we going?"
    """
    if (receipt is None) == (conversation is None):
        raise InvalidInput("name a conversation, or give --receipt")
    if conversation is None:
        with open_existing(store) as memory:
            told = memory.why(receipt or "", message, message_space=message_space)
    else:
        with open_space(store, space) as known:
            made = known.conversation(conversation).context(question, recipe=recipe, max_tokens=max_tokens)
            told = made.why(message, message_space=message_space)
    if as_json:
        print_json(told.to_dict())
    else:
        _print_why(told)


def _print_why(told: Why) -> None:
    make_console().print(escape_text(told.sentence), soft_wrap=True)
    if told.message is not None:
        said = _cut(told.message.text)
        others = f"; {told.matches - 1} other messages fit as well" if told.matches > 1 else ""
        place = f"{told.message.conversation} {told.message.created_at.date().isoformat()}"
        note(f"{place}, {told.message.name or told.message.role}: {said}{others}")
    if told.score is not None:
        last = None if told.last is None else told.last.score
        rows = [
            (name, f"{getattr(told.score, name):.3f}", f"{getattr(last, name):.3f}" if last else "") for name in PARTS
        ]
        show(Table(("part", "this message", "last that got in"), rows, right=("this message", "last that got in")))

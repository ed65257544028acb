"""A question comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Limit, Space, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.text import moment, shortened

if TYPE_CHECKING:
    from rich.table import Table

    from recollect import Bounds, Hit, Hits

EXCERPT = 160
PARTS = ("score", "dense", "lexical", "ident")


def recall(
    query: Annotated[str, typer.Argument(help="A question, words or an identifier.", show_default=False)],
    *,
    space: Space = SPACE,
    conversation: Annotated[str | None, typer.Option(metavar="NAME", help="Look in this conversation only.")] = None,
    limit: Limit = 10,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="message, fact, pin, summary, episode, profile; repeatable."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="One of these tags; repeatable.")] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Said at this time or later.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Said at this time or earlier.")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="TIME", help="As if it were then.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say how the question was read.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find what answers a question.

    By meaning, by words and by identifiers; each part of the score is shown.

    Example: recollect recall "where are we going in May?" --limit 3 --since 2026-01-01
    """
    given = {"kinds": kind, "tags": tag, "since": since, "until": until, "as_of": as_of, "explain": explain}
    bounds = cast("Bounds", {name: value for name, value in given.items() if value})
    with reading(store) as memory:
        found = memory.space(space).recall(query, limit, conversation=conversation, **bounds)
        if not found:
            refuse_unknown(memory, space)
    for warning in found.warnings:
        note(f"warning: {warning}")
    if as_json:
        print_json(found)
        return
    if found.explanation is not None:
        note(explained(found))
    if found:
        output().print(hits_table(found))
    else:
        note("nothing found")


def explained(hits: Hits) -> str:
    """How a question was read, in a line or two."""
    read = hits.explanation
    if read is None:
        return ""
    when = f"; about {read.when[0]:%Y-%m-%d} to {read.when[1]:%Y-%m-%d}" if read.when else ""
    spent = ", ".join(f"{stage} {milliseconds:.1f}" for stage, milliseconds in hits.milliseconds.items())
    terms = ", ".join((*read.terms, *read.identifiers)) or "none"
    return f"terms: {terms}{when}\n{read.candidates} of {read.messages} messages read; ms: {spent}"


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

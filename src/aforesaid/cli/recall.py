"""The `recall` command: searches a space and prints the hits with their scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, cast

import typer

from aforesaid import Explanation, Hit, Hits, RecallOptions
from aforesaid.cli.options import (
    SPACE,
    STORE,
    AsJson,
    ConversationFilter,
    Limit,
    MetadataFilter,
    OtherSpaces,
    SpaceName,
    Store,
    parse_metadata_filter,
)
from aforesaid.cli.output import Table, format_time, note, print_result, shorten
from aforesaid.cli.store import open_existing, require_space
from aforesaid.errors import InvalidInput
from aforesaid.models.recall import GroupKind

EXCERPT = 160
SCORE_COLUMNS = ("score", "dense", "lexical", "identifier")


def recall(
    query: Annotated[str, typer.Argument(help="A question, words or an identifier.", show_default=False)],
    *,
    space: SpaceName = SPACE,
    also: OtherSpaces = None,
    conversation: ConversationFilter = None,
    limit: Limit = 10,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="message, fact, pin, summary, episode or profile; repeatable."),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Only hits that are at least this likely to answer.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="With one of these tags; repeatable.")] = None,
    filter: MetadataFilter = None,
    group: Annotated[
        GroupKind | None, typer.Option(help="Show whole sessions, or turns with their neighbours; --limit counts them.")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="From this time on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Up to this time.")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="TIME", help="What was true at that time.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show how the question was parsed.")] = False,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Search for answers to a question: by meaning, by words and by identifiers. `search` is another name.

    Each part of the score is shown. `--conversation` narrows the search to one conversation of the space, and `--also`
    searches other spaces too.

    Example: aforesaid recall "where are we going in May?" --limit 3 --since 2026-01-01
    """
    options: dict[str, object] = {"kinds": kind, "tags": tag, "since": since, "until": until, "as_of": as_of}
    options |= {"filter": parse_metadata_filter(filter), "group": group, "min_score": min_score, "explain": explain}
    bounds = cast("RecallOptions", {name: value for name, value in options.items() if value})
    if also and conversation is not None:
        raise InvalidInput("--conversation narrows the search of one space; leave out --also")
    with open_existing(store) as memory:
        searched = [require_space(memory, name) for name in (space, *(also or ()))]
        if also:
            hits = memory.recall([each.id for each in searched], query, limit, **bounds)
        else:
            hits = searched[0].recall(query, limit, conversation=conversation, **bounds)
    for warning in hits.warnings:
        note(f"warning: {warning}")
    if hits.explanation is not None and not as_json:
        note(_explanation_text(hits.explanation, hits.milliseconds))
    shown = groups_table(hits) if group else hits_table(hits, named=bool(also))
    print_result(hits, as_json, shown, "nothing found")


def _explanation_text(parsed: Explanation, milliseconds: Mapping[str, float]) -> str:
    when = f"; about {parsed.when[0]:%Y-%m-%d} to {parsed.when[1]:%Y-%m-%d}" if parsed.when else ""
    spent = ", ".join(f"{stage} {duration:.1f}" for stage, duration in milliseconds.items())
    terms = ", ".join((*parsed.terms, *parsed.identifiers)) or "none"
    return f"terms: {terms}{when}\n{parsed.candidates} of {parsed.messages} messages read; ms: {spent}"


def groups_table(hits: Hits) -> Table:
    """Groups, best first: each message in order. A star marks the hits."""
    rows = []
    for group in hits.groups:
        found = {hit.id for hit in group.hits}
        for at, message in enumerate(group.messages):
            begin = ("", "") if at else (f"{group.score:.2f}", f"{group.space}: {group.conversation}")
            mark = "*" if message.id in found else ""
            rows.append((*begin, format_time(message.created_at), message.role, mark, shorten(message.text, EXCERPT)))
    return Table(("score", "from", "time", "role", "", "text"), rows, right=("score",))


def hits_table(hits: Hits, *, named: bool = False) -> Table:
    """Hits, best first, with the parts of each score; with `named`, also with their spaces."""
    return Table((*SCORE_COLUMNS, "from", "text"), (_row(hit, named=named) for hit in hits), right=SCORE_COLUMNS)


def _row(hit: Hit, *, named: bool) -> tuple[str, ...]:
    score, message = hit.score, hit.message
    parts = (score.relevance, score.dense, score.lexical, score.identifier)
    place = f"{hit.space}: {hit.conversation}" if named else hit.conversation
    origin = f"{hit.kind} in {place}"
    if message is not None:
        origin = f"{message.role} in {place}\n{format_time(message.created_at)}"
    return (*(f"{part:.2f}" for part in parts), origin, shorten(hit.text, EXCERPT))

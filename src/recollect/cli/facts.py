"""What is known, and what waits for somebody to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading, refuse_unknown, writing
from recollect.cli.options import SPACE, STORE, AfterId, AsJson, Limit, Space, Store
from recollect.cli.output import output, print_json, table
from recollect.cli.text import moment

if TYPE_CHECKING:
    from datetime import datetime

    from rich.table import Table

    from recollect import Fact

ID = 36  # characters of an id that recollect made: it stands in one line
Status = Literal["active", "pending", "superseded", "archived", "rejected", "all"]
Kind = Literal["fact", "decision", "preference", "entity", "procedure", "constraint", "goal"]
AsOf = Annotated[str | None, typer.Option(metavar="TIME", help="Only what was true at that time.")]
KnownAt = Annotated[
    str | None, typer.Option(metavar="TIME", help="Only what was held true at that time, right or wrong.")
]


def facts(
    *,
    space: Space = SPACE,
    remember: Annotated[str | None, typer.Option(metavar="TEXT", help="Keep a fact instead of listing.")] = None,
    review: Annotated[bool, typer.Option("--review", help="Those that wait for a decision.")] = False,
    status: Annotated[Status, typer.Option(help="Only those in this state.")] = "active",
    kind: Annotated[Kind | None, typer.Option(help="Only those of this kind; what a new one is.")] = None,
    category: Annotated[str | None, typer.Option(metavar="NAME", help="Only those of this category.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only those with this tag.")] = None,
    subject: Annotated[str | None, typer.Option(metavar="NAME", help="Only what is about this.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    after: AfterId = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List what is known, in the order it was noted, with the words that say it.

    Example: recollect facts --space alice --status pending
    """
    if remember is not None:
        with writing(store) as memory:
            labels = {"category": category, "subject": subject, "tags": () if tag is None else (tag,)}
            found = [memory.space(space).remember(remember, kind=kind or "fact", **labels)]  # type: ignore[arg-type]
    else:
        with reading(store) as memory:
            known = memory.space(space)
            found = known.review(limit) if review else known.facts(
                limit,
                after=after,
                status=None if status == "all" else status,
                kind=kind,
                category=category,
                tag=tag,
                subject=subject,
                as_of=as_of,
                known_at=known_at,
            )  # fmt: skip
            if not found:
                refuse_unknown(memory, space)
    if as_json:
        print_json(found)
    else:
        output().print(facts_table(found))


def facts_table(facts: list[Fact]) -> Table:
    """Two lines a fact, so that ids, which are long, leave room for words. A column for times where one has any."""
    timed = any(map(_time, facts))
    rows = ((_label(fact), f"{fact.text}\n{_said(fact)}", *([_time(fact)] if timed else [])) for fact in facts)
    made = table(("id", "fact", *(["true"] if timed else [])), rows)
    made.columns[0].no_wrap = all(len(fact.id) <= ID for fact in facts)
    return made


def _label(fact: Fact) -> str:
    return f"{fact.id}\n{fact.status} {fact.kind}, {fact.confidence:.2f} certain"


def _time(fact: Fact) -> str:
    if fact.valid_from is None and fact.valid_until is None:
        return ""
    return f"{_day(fact.valid_from)} – {_day(fact.valid_until)}"


def _day(at: datetime | None) -> str:
    return "" if at is None else at.date().isoformat()


def _said(fact: Fact) -> str:
    if not fact.evidence:
        return "by hand"
    last = fact.evidence[-1]
    return f"{last.speaker}, {moment(last.said_at)}: {last.quote}"

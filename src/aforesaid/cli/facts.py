"""The commands `facts`, `remember`, `promote`, `reject`, `archive` and `undo`: list, add and review facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Annotated, Literal

import typer

from aforesaid import Fact, Space
from aforesaid.cli.options import SPACE, STORE, AfterId, AsJson, ExpiresOption, FactId, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, note, print_result
from aforesaid.cli.store import open_existing, open_or_create, open_space, resolve_fact_id
from aforesaid.models.fact import FactKind

ID_LENGTH = 36  # characters of an id that aforesaid makes; it is not wrapped

FactStatusName = Literal["active", "pending", "superseded", "archived", "rejected", "all"]


def facts(
    *,
    space: SpaceName = SPACE,
    review: Annotated[bool, typer.Option("--review", help="Only facts that wait for a decision.")] = False,
    status: Annotated[FactStatusName, typer.Option(help="Only facts in this state.")] = "active",
    kind: Annotated[FactKind | None, typer.Option(help="Only facts of this kind.")] = None,
    category: Annotated[str | None, typer.Option(metavar="NAME", help="Only facts of this category.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only facts with this tag.")] = None,
    subject: Annotated[str | None, typer.Option(metavar="NAME", help="Only facts about this subject.")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="TIME", help="Only facts that were true at that time.")] = None,
    known_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only facts that were held true at that time.")
    ] = None,
    limit: Limit = 50,
    after: AfterId = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List facts with the quotes that support them, oldest first.

    Example: aforesaid facts --space alice --status pending
    """
    with open_space(store, space) as known:
        page = known.review(limit) if review else known.facts(
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
    print_result(page, as_json, facts_table(page))
    if review and not page:
        note("nothing to review")


def remember(
    text: Annotated[str, typer.Argument(help="The fact, as a sentence.", show_default=False)],
    *,
    space: SpaceName = SPACE,
    kind: Annotated[FactKind, typer.Option(help="The kind of fact.")] = "fact",
    category: Annotated[str | None, typer.Option(metavar="NAME", help="Its category.")] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; repeatable.")] = None,
    subject: Annotated[str | None, typer.Option(metavar="NAME", help="The subject of the fact.")] = None,
    expires: ExpiresOption = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Store a fact by hand. It is active immediately.

    Example: aforesaid remember "Prefers window seats" --kind preference --tag travel
    """
    with open_or_create(store) as memory:
        labels = {"category": category, "subject": subject, "tags": tuple(tag or ()), "expires": expires}
        fact = memory.space(space).remember(text, kind=kind, **labels)  # type: ignore[arg-type]
    print_result(fact, as_json, facts_table([fact]))


def facts_table(facts: list[Fact]) -> Table:
    """Two lines per fact, because of long ids. The column `true` appears only if a fact has a time."""
    timed = any(map(_validity, facts))
    rows = ((_label(fact), _content(fact), *([_validity(fact)] if timed else [])) for fact in facts)
    unwrapped = ("id",) if all(len(fact.id) <= ID_LENGTH for fact in facts) else ()
    return Table(("id", "fact", *(["true"] if timed else [])), rows, unwrapped=unwrapped)


def _label(fact: Fact) -> str:
    return f"{fact.id}\n{fact.status} {fact.kind}, {fact.confidence:.2f} confidence"


def _content(fact: Fact) -> str:
    return "\n".join([fact.text, _evidence(fact), *([f"reason: {fact.reason}"] if fact.reason else [])])


def _validity(fact: Fact) -> str:
    if fact.valid_from is None and fact.valid_until is None:
        return ""
    return f"{_day(fact.valid_from)} – {_day(fact.valid_until)}"


def _day(at: datetime | None) -> str:
    return "" if at is None else at.date().isoformat()


def _evidence(fact: Fact) -> str:
    if not fact.evidence:
        return "by hand"
    last = fact.evidence[-1]
    edited = "" if last.supports else "by hand, not in the quote: "
    return f"{edited}{last.speaker}, {format_time(last.said_at)}: {last.quote}"


Reason = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why. It is kept with the fact.")]


def promote(fact: FactId, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Confirm a fact: it becomes active, and replaces facts that contradict it.

    Example: aforesaid promote 019ca6b1-dc00-7000-800d-8e84327e27e2
    """
    _decide(store, space, fact, Space.promote, as_json)


def reject(
    fact: FactId, *, reason: Reason = None, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """Mark a fact as wrong: it is not proposed again, and a fact that it replaced is active again.

    Example: aforesaid reject 019ca6b1-dc00-7000-800d-8e84327e27e2 --reason "It was a joke"
    """
    _decide(store, space, fact, partial(Space.reject, reason=reason), as_json)


def archive(
    fact: FactId, *, reason: Reason = None, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """Archive a fact that is no longer true or not wanted: it is no longer recalled. `aforesaid undo` restores it.

    Example: aforesaid archive 019ca6b1-dc00-7000-800d-8e84327e27e2 --reason "She changed jobs"
    """
    _decide(store, space, fact, partial(Space.archive, reason=reason), as_json)


def undo(fact: FactId, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
    """Take back that a fact was archived or rejected, or undo its replacement or edit, by the id of either fact.

    Example: aforesaid undo 019ca6b1-dc00-7000-800d-8e84327e27e2
    """
    _decide(store, space, fact, Space.undo, as_json)


def _decide(store: str, space: str, fact: str, decision: Callable[[Space, str], Fact], as_json: bool) -> None:
    with open_existing(store) as memory:
        known = memory.space(space)
        changed = decision(known, resolve_fact_id(known, fact))
    print_result(changed, as_json, facts_table([changed]))

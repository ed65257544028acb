"""The commands `facts`, `remember`, `promote`, `reject`, `archive` and `undo`: list, add and review facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal

import typer

from aforesaid import Fact
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
    rows = ((_label(fact), f"{fact.text}\n{_evidence(fact)}", *([_validity(fact)] if timed else [])) for fact in facts)
    unwrapped = ("id",) if all(len(fact.id) <= ID_LENGTH for fact in facts) else ()
    return Table(("id", "fact", *(["true"] if timed else [])), rows, unwrapped=unwrapped)


def _label(fact: Fact) -> str:
    return f"{fact.id}\n{fact.status} {fact.kind}, {fact.confidence:.2f} confidence"


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
    return f"{last.speaker}, {format_time(last.said_at)}: {last.quote}"


def _review_command(verb: str, help: str) -> Callable[..., None]:
    """A command that calls a verb of Space with one fact."""

    def command(fact: FactId, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False) -> None:
        with open_existing(store) as memory:
            known = memory.space(space)
            changed: Fact = getattr(known, verb)(resolve_fact_id(known, fact))
        print_result(changed, as_json, facts_table([changed]))

    command.__name__, command.__doc__ = (
        verb,
        f"{help}\n\nExample: aforesaid {verb} 019ca6b1-dc00-7000-800d-8e84327e27e2",
    )
    return command


promote = _review_command("promote", "Confirm a fact: it becomes active, and replaces facts that contradict it.")
reject = _review_command(
    "reject", "Mark a fact as wrong: it is not proposed again, and a fact that it replaced is active again."
)
archive = _review_command("archive", "Archive a fact: it is no longer recalled. `aforesaid promote` restores it.")
undo = _review_command(
    "undo", "Undo the replacement of a fact, by the id of either: the old one is active again, the new one pending."
)

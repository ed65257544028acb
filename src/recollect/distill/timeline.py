"""Where a fact stands among the others of its slot, so that at no time two are true that exclude each other.

`valid_…` says when something was true, `known_…` when it was believed. A change ends what was true; a correction ends
what was believed: the world was never so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from recollect.distill.slot import excludes, first_said, held, last_said
from recollect.models import Fact, Relation
from recollect.records import Change, Closing

BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Placing:
    """A fact that is to become active, said at a moment, among facts that may exclude it."""

    fact: Fact
    said_at: datetime
    others: tuple[Fact, ...]

    @property
    def rivals(self) -> tuple[Fact, ...]:
        """Those that are true in the same time, and cannot be if this is."""
        start, stop = span(self.fact)
        begin = self.start or start
        return tuple(
            other
            for other in self.others
            if other.status == "active" and begin < span(other)[1] and span(other)[0] < stop
        )

    @property
    def start(self) -> datetime | None:
        """Since when it is true: as it says, else since it was said, where there was something else before."""
        over = self.fact.valid_until is not None and self.fact.valid_until <= self.said_at
        return self.fact.valid_from or (self.said_at if self.others and not over else None)


def among(fact: Fact, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts that are held to be true, at whatever time, and exclude this one."""
    return tuple(other for other in facts if other.id != fact.id and held(other) and excludes(fact, other))


def span(fact: Fact) -> tuple[datetime, datetime]:
    return fact.valid_from or BEGINNING, fact.valid_until or END


def placed(placing: Placing, now: datetime) -> Change | None:
    """The fact made active, and what it closes; None where its time is taken by what was true before."""
    active = replace(
        placing.fact,
        status="active",
        valid_from=placing.start,
        known_from=now if placing.fact.status == "pending" else placing.fact.known_from,
        known_until=None,
        updated_at=now,
    )
    before = [other.valid_until for other in placing.others if other.status == "superseded" and other.valid_until]
    if before:
        active = replace(active, valid_from=max(placing.start or BEGINNING, *before))
    closings: list[tuple[Fact, Closing]] = []
    narrowed: list[Fact] = []
    for rival in placing.rivals:
        if rival.valid_from is not None and rival.valid_from > max(span(active)[0], now):  # planned, and still to come
            active = replace(active, valid_until=min(span(active)[1], rival.valid_from))
        elif span(active)[1] <= first_said(rival) and span(active)[1] < span(rival)[1]:  # what was before it
            narrowed.append(replace(rival, valid_from=span(active)[1], updated_at=now))
        else:
            closings.append(closed(rival, active, now))
    start, stop = span(active)
    if start >= stop:
        return None
    ended = [fact for fact, _ in closings]
    return Change(
        facts=(*ended, *narrowed, active),
        relations=tuple(Relation(active.id, "supersedes", fact.id, 1.0, now) for fact in ended),
        unrelated=tuple(chain(*(settled(active.id, fact.id, now) for fact in (*ended, *narrowed)))),
        closed=tuple(closing for _, closing in closings),
    )


def settled(one: str, other: str, now: datetime) -> tuple[Relation, Relation]:
    """What two facts that contradict each other no longer had between them, whichever of them said so."""
    return Relation(one, "contradicts", other, 1.0, now), Relation(other, "contradicts", one, 1.0, now)


def closed(rival: Fact, by: Fact, now: datetime) -> tuple[Fact, Closing]:
    """The rival ended: its truth where the other begins after it was last said, else the belief in it."""
    closing = Closing(rival.id, by.id, now, rival.status, rival.valid_until)
    begin, until = span(by)[0], span(rival)[1]
    if begin > last_said(rival) and begin > span(rival)[0]:
        status = rival.status if begin > now else "superseded"
        return replace(rival, status=status, valid_until=min(begin, until), updated_at=now), closing
    return replace(rival, status="superseded", known_until=now, updated_at=now), closing

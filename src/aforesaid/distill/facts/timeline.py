"""Places a fact in the timeline of its slot. Two facts that exclude each other are never valid at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from aforesaid.distill.facts.compare import can_replace, excludes, first_said, is_held, last_said
from aforesaid.models.fact import Fact, FactChange, Relation, Supersession

BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Placement:
    """A fact to make active, the time at which it was said, and the facts that exclude it."""

    fact: Fact
    said_at: datetime
    others: tuple[Fact, ...]

    @classmethod
    def among(cls, facts: Sequence[Fact], fact: Fact, said_at: datetime, *, replaces: bool = False) -> Placement:
        """With `replaces`, the words say that the fact ends the other values of its slot."""
        others = tuple(other for other in facts if other.id != fact.id and is_held(other) and can_replace(fact, other))
        return cls(fact, said_at, others if replaces else excluding_facts(fact, facts))

    @property
    def rivals(self) -> tuple[Fact, ...]:
        """The active facts among the others that are valid at the same time."""
        start, stop = validity_span(self.fact)
        span = self.start or start, stop
        active = (other for other in self.others if other.status == "active")
        return tuple(other for other in active if _overlap(span, validity_span(other)))

    @property
    def start(self) -> datetime | None:
        """The start of validity: its own, else the time at which it was said if it replaces another fact."""
        over = self.fact.valid_until is not None and self.fact.valid_until <= self.said_at
        return self.fact.valid_from or (self.said_at if self.others and not over else None)

    @property
    def superseded_until(self) -> list[datetime]:
        """The ends of the superseded facts among the others."""
        return [other.valid_until for other in self.others if other.status == "superseded" and other.valid_until]


def excluding_facts(fact: Fact, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The believed facts, valid at any time, that exclude this one."""
    return tuple(other for other in facts if other.id != fact.id and is_held(other) and excludes(fact, other))


def overlapping_rivals(fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    """The believed facts that exclude this one and are valid at the same time."""
    span = validity_span(fact)
    return [other for other in excluding_facts(fact, facts) if _overlap(span, validity_span(other))]


def validity_span(fact: Fact) -> tuple[datetime, datetime]:
    return fact.valid_from or BEGINNING, fact.valid_until or END


def _overlap(span: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def place(placement: Placement, now: datetime) -> FactChange | None:
    """Makes the fact active and ends its rivals; None if superseded facts leave it no time."""
    fact = placement.fact
    active = replace(
        fact,
        status="active",
        valid_from=placement.start,
        known_from=now if fact.status == "pending" else fact.known_from,
        known_until=None,
        updated_at=now,
        reason=None,
        withdrawn_from=None,
    )
    if placement.superseded_until:
        active = replace(active, valid_from=max(placement.start or BEGINNING, *placement.superseded_until))
    closings: list[tuple[Fact, Supersession]] = []
    narrowed: list[Fact] = []
    for rival in placement.rivals:
        start, stop = validity_span(active)
        if rival.valid_from is not None and rival.valid_from > max(start, now):  # the rival begins in the future
            active = replace(active, valid_until=min(stop, rival.valid_from))
        elif stop <= first_said(rival) and stop < validity_span(rival)[1]:  # the fact was true before the rival
            narrowed.append(replace(rival, valid_from=stop, updated_at=now))
        else:
            closings.append(close_fact(rival, active, now))
    start, stop = validity_span(active)
    if start >= stop:
        return None
    ended = [closed for closed, _ in closings]
    return FactChange(
        facts=(*ended, *narrowed, active),
        relations=tuple(Relation(active.id, "supersedes", closed.id, 1.0, now) for closed in ended),
        unrelated=tuple(chain(*(resolved_contradictions(active.id, each.id, now) for each in (*ended, *narrowed)))),
        closed=tuple(closing for _, closing in closings),
    )


def resolved_contradictions(fact_id: str, other_id: str, now: datetime) -> tuple[Relation, Relation]:
    """The `contradicts` relations of two facts, in both directions, to remove."""
    return Relation(fact_id, "contradicts", other_id, 1.0, now), Relation(other_id, "contradicts", fact_id, 1.0, now)


def close_fact(rival: Fact, by: Fact, now: datetime) -> tuple[Fact, Supersession]:
    """The rival with its validity ended if `by` begins after the rival was last said, else no longer believed."""
    closing = Supersession(rival.id, by.id, now, rival.status, rival.valid_until)
    begin, until = validity_span(by)[0], validity_span(rival)[1]
    if begin > last_said(rival) and begin > validity_span(rival)[0]:
        status = rival.status if begin > now else "superseded"
        return replace(rival, status=status, valid_until=min(begin, until), updated_at=now), closing
    return replace(rival, status="superseded", known_until=now, updated_at=now), closing

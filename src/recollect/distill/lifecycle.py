"""What somebody decides about a fact by hand: what to write for it. All of these are pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from recollect.distill.slot import first_said, held, last_said
from recollect.distill.timeline import Placing, among, closed, placed, settled, span
from recollect.errors import NotFound, StateError
from recollect.models import Fact, FactStatus, Relation
from recollect.records import Change, Closing, Proof, Seen


def promoted(seen: Seen, id: str, now: datetime) -> Change:
    """The fact is true: active, in place of what it excludes."""
    fact = chosen(seen, id)
    if fact.status == "active":
        return Change()
    _refuse(fact, ("superseded",), "undo what superseded it first")
    said = last_said(fact)
    change = placed(Placing(fact, said, among(fact, seen.facts)), now)
    if change is None:
        raise StateError(f"fact {id!r} has no time left in which it was true; edit its validity", status=fact.status)
    return change


def rejected(seen: Seen, id: str, now: datetime) -> Change:
    """The fact was never true. What it had superseded is valid again, unless something else took its place."""
    fact = chosen(seen, id)
    if fact.status == "rejected":
        return Change()
    gone = _withdrawn(fact, "rejected", now)
    if fact.status != "active":
        return Change(facts=(gone,))
    ended = [closing for closing in seen.closings if closing.by == id]
    opened = [each for each in _reopened(ended, seen, now) if not _taken(each, seen.facts, {id})]
    return Change(
        facts=(gone, *opened),
        reopened=tuple(each.id for each in opened),
        unrelated=tuple(Relation(id, "supersedes", each.id, 1.0, now) for each in opened),
    )


def archived(seen: Seen, id: str, now: datetime) -> Change:
    """The fact is put away: out of sight, not out of the history."""
    fact = chosen(seen, id)
    if fact.status == "archived":
        return Change()
    _refuse(fact, ("superseded", "rejected"), "it is out of sight already")
    return Change(facts=(_withdrawn(fact, "archived", now),))


def undone(seen: Seen, id: str, now: datetime) -> Change:
    """A wrong closing taken back, by the fact that closed or by one that was closed: what was closed is as it was
    before, and what closed it waits for a decision beside it."""
    closer = next((closing.by for closing in seen.closings if id in (closing.by, closing.closed)), None)
    if closer is None:
        raise StateError(f"fact {id!r} neither closed another nor was closed", status=chosen(seen, id).status)
    by = chosen(seen, closer)
    _refuse(by, ("superseded", "rejected", "archived"), "it stands for nothing now; undo what superseded it first")
    opened = _reopened([closing for closing in seen.closings if closing.by == closer], seen, now)
    for each in opened:
        if _taken(each, seen.facts, {closer, *(other.id for other in opened)}):
            raise StateError(f"the place of fact {each.id!r} is taken by now; reject what took it", status=each.status)
    return Change(
        facts=(_withdrawn(by, "pending", now), *opened),
        reopened=tuple(each.id for each in opened),
        unrelated=tuple(Relation(closer, "supersedes", each.id, 1.0, now) for each in opened),
        relations=tuple(_contradicts(closer, each.id, now) for each in opened),
    )


def returned(seen: Seen, id: str, now: datetime) -> Change:
    """A fact that was put away and is back. What took its place meanwhile keeps it: the fact ends where that begins, or
    waits for a decision beside it."""
    fact = chosen(seen, id)
    rivals = _rivals(fact, seen.facts)
    if not rivals:
        return Change()
    first = min(rivals, key=first_said)
    heir = replace(first, valid_from=first.valid_from or first_said(first), updated_at=now)
    ended, closing = closed(fact, heir, now)
    if last_said(heir) < last_said(fact) or not _fit(ended, heir, seen.facts):
        return Change((_withdrawn(fact, "pending", now),), relations=(_contradicts(id, heir.id, now),))
    return Change(
        facts=(ended, heir) if held(ended) else (ended,),
        relations=(Relation(heir.id, "supersedes", id, 1.0, now),),
        closed=(closing,),
    )


def edited(seen: Seen, id: str, version: Fact, now: datetime) -> Change:
    """A new version in the place of the old one, which stays in the history as what was believed before."""
    old = chosen(seen, id)
    _refuse(old, ("superseded", "rejected"), "edit the fact that stands in its place")
    ended = replace(old, status="superseded", known_until=now, updated_at=now)
    others = tuple(fact for fact in seen.facts if fact.id != id)
    change = placed(Placing(version, last_said(old), among(version, others)), now)
    if change is None:
        raise StateError(f"fact {id!r} would have no time in which it was true; edit its validity", status=old.status)
    return replace(
        change,
        facts=(ended, *change.facts),
        proofs=tuple((version.id, _proof(version, each.message_id, each.quote)) for each in old.evidence),
        relations=(*change.relations, Relation(version.id, "supersedes", id, 1.0, now)),
        closed=(*change.closed, _closing(old, version, now)),
    )


def related(seen: Seen, relation: Relation) -> Change:
    """Two facts linked. One that supersedes another ends it: from when it is true itself, else from now on."""
    source, target = chosen(seen, relation.source), chosen(seen, relation.target)
    now, over = relation.created_at, settled(source.id, target.id, relation.created_at)
    if relation.kind != "supersedes" or target.status in ("superseded", "rejected"):
        return Change(relations=(relation,))
    _refuse(source, ("superseded", "rejected"), "it cannot supersede another")
    if target.status != "active":
        ended = _withdrawn(target, "superseded", now)
        return Change((ended,), relations=(relation,), unrelated=over, closed=(_closing(target, source, now),))
    ended, closing = closed(target, replace(source, valid_from=source.valid_from or now), now)
    return Change((ended,), relations=(relation,), unrelated=over, closed=(closing,))


def chosen(seen: Seen, id: str) -> Fact:
    for fact in seen.facts:
        if fact.id == id:
            return fact
    raise NotFound(f"there is no fact {id!r}")


def _closing(fact: Fact, by: Fact, now: datetime) -> Closing:
    return Closing(fact.id, by.id, now, fact.status, fact.valid_until)


def _proof(version: Fact, message_id: str, quote: str) -> Proof:
    return Proof(message_id, quote, version.text, version.value)


def _withdrawn(fact: Fact, status: FactStatus, now: datetime) -> Fact:
    """The fact as it is known no longer; what was never active never was."""
    return replace(fact, status=status, known_until=fact.known_until or now, updated_at=now)


def _reopened(closings: Sequence[Closing], seen: Seen, now: datetime) -> list[Fact]:
    found = [(chosen(seen, closing.closed), closing) for closing in closings]
    return [
        replace(
            fact,
            status=closing.status,
            valid_until=closing.valid_until,
            known_until=None if closing.status == "active" else fact.known_until,
            updated_at=now,
        )
        for fact, closing in found
    ]


def _taken(fact: Fact, facts: Sequence[Fact], without: set[str]) -> bool:
    """Whether another is held to be true in the fact's time that excludes it."""
    return any(other.id not in without for other in _rivals(fact, facts))


def _rivals(fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    start, stop = span(fact)
    return [other for other in among(fact, facts) if span(other)[0] < stop and start < span(other)[1]]


def _fit(ended: Fact, heir: Fact, facts: Sequence[Fact]) -> bool:
    """Whether each of two has a time of its own, which no other takes from the one that ended."""
    if not held(ended):
        return True
    start, stop = span(heir)
    return start < stop and not _taken(ended, facts, {heir.id})


def _contradicts(source: str, target: str, now: datetime) -> Relation:
    return Relation(source, "contradicts", target, 1.0, now)


def _refuse(fact: Fact, states: Sequence[FactStatus], advice: str) -> None:
    if fact.status in states:
        raise StateError(f"fact {fact.id!r} is {fact.status}; {advice}", status=fact.status)

"""State transitions of a fact: promote, reject, archive, undo, edit, relate. All functions are pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from aforesaid.distill.facts import timeline
from aforesaid.distill.facts.compare import first_said, is_held, last_said
from aforesaid.distill.facts.timeline import Placement, close_fact, overlapping_rivals, resolved_contradictions
from aforesaid.errors import NotFound, StateError
from aforesaid.models.fact import Fact, FactChange, FactStatus, Proof, Relation, Supersession, TopicFacts


def promote(seen: TopicFacts, id: str, now: datetime) -> FactChange:
    """Makes the fact active, in place of the facts that it excludes."""
    fact = fact_by_id(seen, id)
    if fact.status == "active":
        return FactChange()
    _refuse(fact, ("superseded",), "undo what superseded it first")
    change = timeline.place(Placement.among(seen.facts, fact, last_said(fact)), now)
    if change is None:
        raise StateError(f"fact {id!r} has no time left in which it was true; edit its validity", status=fact.status)
    return change


def reject(seen: TopicFacts, id: str, now: datetime, reason: str | None = None) -> FactChange:
    """Marks the fact as never true. Facts that it superseded are valid again, unless another fact replaces them."""
    fact = fact_by_id(seen, id)
    if fact.status == "rejected":
        return _explained(fact, reason, now)
    rejected = _decided_against(fact, "rejected", now, reason)
    if fact.status != "active":
        return FactChange(facts=(rejected,))
    opened = [each for each in _reopened(id, seen, now) if not _excluded(each, seen.facts, {id})]
    return _reopen(rejected, opened, now)


def archive(seen: TopicFacts, id: str, now: datetime, reason: str | None = None) -> FactChange:
    """Archives the fact: it is no longer believed. It stays in the history."""
    fact = fact_by_id(seen, id)
    if fact.status == "archived":
        return _explained(fact, reason, now)
    _refuse(fact, ("superseded", "rejected"), "it is hidden already")
    return FactChange(facts=(_decided_against(fact, "archived", now, reason),))


def undo(seen: TopicFacts, id: str, now: datetime) -> FactChange:
    """Takes back that a person archived or rejected the fact. Else reverts a supersession, given either of its facts:
    the superseded facts are as before, the other is pending."""
    fact = fact_by_id(seen, id)
    if fact.status in ("archived", "rejected") and fact.withdrawn_from is not None:
        return _reinstated(fact, fact.withdrawn_from, seen, now)
    closer = next((closing.by for closing in seen.closings if id in (closing.by, closing.closed)), None)
    if closer is None:
        raise StateError(f"fact {id!r} neither superseded another nor was superseded", status=fact.status)
    by = fact_by_id(seen, closer)
    _refuse(by, ("superseded", "rejected", "archived"), "undo what superseded it first")
    opened = _reopened(closer, seen, now)
    for each in opened:
        if is_held(each) and _excluded(each, seen.facts, {closer, *(other.id for other in opened)}):
            raise StateError(f"another fact has replaced {each.id!r} since; reject that one", status=each.status)
    change = _reopen(_withdrawn(by, "pending", now), opened, now)
    contradictions = (_contradicts(closer, each.id, now) for each in opened)
    return replace(change, relations=(*contradictions, *change.relations))


def restore(seen: TopicFacts, id: str, now: datetime) -> FactChange:
    """Restores an archived fact. It ends where a fact that replaced it begins, or is pending."""
    fact = fact_by_id(seen, id)
    rivals = overlapping_rivals(fact, seen.facts)
    if not rivals:
        return FactChange()
    return _ended_by(fact, rivals, seen, now)


def _reinstated(fact: Fact, status: FactStatus, seen: TopicFacts, now: datetime) -> FactChange:
    """The fact with the status from before it was archived or rejected. It supersedes again what its rejection reopened
    and what is valid in its place, but ends where a fact begins that is known since."""
    before = replace(fact, status=status, reason=None, withdrawn_from=None, updated_at=now)
    if status in ("pending", "archived"):
        return FactChange((before,))
    closing = next((closing for closing in seen.closings if closing.closed == fact.id), None)
    known_until = fact.known_until if closing is not None and fact.known_until == closing.at else None
    before = replace(before, status="active" if closing is None else status, known_until=known_until)
    rivals = overlapping_rivals(before, seen.facts) if is_held(before) else []
    if rivals and before.status == "superseded":
        raise StateError(f"another fact has replaced {fact.id!r} since; reject that one", status=fact.status)
    since = [rival for rival in rivals if fact.known_until is None or rival.known_from >= fact.known_until]
    if since:
        return _ended_by(before, since, seen, now)
    closings = [close_fact(rival, before, now) for rival in rivals]
    others = (each for each in seen.facts if each.id in seen.reopened and each not in rivals)
    closings += [
        (_withdrawn(each, "superseded", now), _closing(each, before, now))
        for each in others
        if each.status in ("active", "pending", "archived")
    ]
    return FactChange(
        facts=(*(ended for ended, _ in closings), before),
        relations=tuple(Relation(fact.id, "supersedes", ended.id, 1.0, now) for ended, _ in closings),
        unrelated=tuple(chain(*(resolved_contradictions(fact.id, ended.id, now) for ended, _ in closings))),
        closed=tuple(closing for _, closing in closings),
    )


def _ended_by(fact: Fact, rivals: Sequence[Fact], seen: TopicFacts, now: datetime) -> FactChange:
    first = min(rivals, key=first_said)
    heir = replace(first, valid_from=first.valid_from or first_said(first), updated_at=now)
    ended, closing = close_fact(fact, heir, now)
    if last_said(heir) < last_said(fact) or not _fit(ended, heir, seen.facts):
        return FactChange((_withdrawn(fact, "pending", now),), relations=(_contradicts(fact.id, heir.id, now),))
    return FactChange(
        facts=(ended, heir) if is_held(ended) else (ended,),
        relations=(Relation(heir.id, "supersedes", fact.id, 1.0, now),),
        closed=(closing,),
    )


def edit(seen: TopicFacts, id: str, version: Fact, now: datetime) -> FactChange:
    """Replaces the fact by a new version. The old one stays in the history as the earlier belief."""
    old = fact_by_id(seen, id)
    _refuse(old, ("superseded", "rejected"), "edit the fact that replaced it")
    ended = replace(old, status="superseded", known_until=now, updated_at=now)
    others = tuple(fact for fact in seen.facts if fact.id != id)
    change = timeline.place(Placement.among(others, version, last_said(old)), now)
    if change is None:
        raise StateError(f"fact {id!r} would have no time in which it was true; edit its validity", status=old.status)
    same = (old.text, old.value) == (version.text, version.value)
    proofs = (
        Proof(each.message_id, each.quote, version.text, version.value, each.supports and same) for each in old.evidence
    )
    return replace(
        change,
        facts=(ended, *change.facts),
        proofs=tuple((version.id, proof) for proof in proofs),
        relations=(*change.relations, Relation(version.id, "supersedes", id, 1.0, now)),
        closed=(*change.closed, _closing(old, version, now)),
    )


def relate(seen: TopicFacts, relation: Relation) -> FactChange:
    """Links two facts. A fact that supersedes another ends it at its own start of validity, else now."""
    source, target = fact_by_id(seen, relation.source), fact_by_id(seen, relation.target)
    now, over = relation.created_at, resolved_contradictions(source.id, target.id, relation.created_at)
    if relation.kind != "supersedes" or target.status in ("superseded", "rejected"):
        return FactChange(relations=(relation,))
    _refuse(source, ("superseded", "rejected"), "it cannot supersede another")
    if target.status != "active":
        ended = _withdrawn(target, "superseded", now)
        return FactChange((ended,), relations=(relation,), unrelated=over, closed=(_closing(target, source, now),))
    ended, closing = close_fact(target, replace(source, valid_from=source.valid_from or now), now)
    return FactChange((ended,), relations=(relation,), unrelated=over, closed=(closing,))


def fact_by_id(seen: TopicFacts, id: str) -> Fact:
    for fact in seen.facts:
        if fact.id == id:
            return fact
    raise NotFound(f"there is no fact {id!r}")


def _closing(fact: Fact, by: Fact, now: datetime) -> Supersession:
    return Supersession(fact.id, by.id, now, fact.status, fact.valid_until)


def _withdrawn(fact: Fact, status: FactStatus, now: datetime) -> Fact:
    """The fact, no longer known."""
    return replace(fact, status=status, known_until=fact.known_until or now, updated_at=now)


def _decided_against(fact: Fact, status: FactStatus, now: datetime, reason: str | None) -> Fact:
    """The fact, archived or rejected by a person. A second decision keeps the status before the first one."""
    before = fact.withdrawn_from if fact.status == "archived" else None
    return replace(_withdrawn(fact, status, now), reason=reason or fact.reason, withdrawn_from=before or fact.status)


def _explained(fact: Fact, reason: str | None, now: datetime) -> FactChange:
    return FactChange() if reason is None else FactChange((replace(fact, reason=reason, updated_at=now),))


def _reopened(closer: str, seen: TopicFacts, now: datetime) -> list[Fact]:
    """The facts that `closer` superseded, as they were before. What a person rejected since stays rejected."""
    closings = [closing for closing in seen.closings if closing.by == closer]
    return [_as_before(fact_by_id(seen, closing.closed), closing, now) for closing in closings]


def _as_before(fact: Fact, closing: Supersession, now: datetime) -> Fact:
    before = replace(fact, valid_until=closing.valid_until, updated_at=now)
    if fact.status == "rejected":
        return replace(before, withdrawn_from=closing.status)
    known_until = None if closing.status == "active" else fact.known_until
    return replace(before, status=closing.status, known_until=known_until)


def _reopen(closer: Fact, opened: Sequence[Fact], now: datetime) -> FactChange:
    """Withdraws the closer and reopens the facts that it superseded. If they were superseded at different times, they
    can exclude each other: then the one that was said earlier ends where the later one begins."""
    facts: list[Fact] = []
    closings: list[Supersession] = []
    for fact in sorted(opened, key=last_said, reverse=True):
        rivals = overlapping_rivals(fact, facts) if is_held(fact) else []
        if not rivals:
            facts.append(fact)
            continue
        ended, closing = close_fact(fact, min(rivals, key=first_said), now)
        facts.append(_withdrawn(ended, "superseded", now) if overlapping_rivals(ended, facts) else ended)
        closings.append(closing)
    return FactChange(
        facts=(closer, *facts),
        reopened=tuple(fact.id for fact in opened),
        unrelated=tuple(Relation(closer.id, "supersedes", fact.id, 1.0, now) for fact in opened),
        relations=tuple(Relation(closing.by, "supersedes", closing.closed, 1.0, now) for closing in closings),
        closed=tuple(closings),
    )


def _excluded(fact: Fact, facts: Sequence[Fact], without: set[str]) -> bool:
    """Returns True if another believed fact excludes this one at the same time."""
    return any(other.id not in without for other in overlapping_rivals(fact, facts))


def _fit(ended: Fact, heir: Fact, facts: Sequence[Fact]) -> bool:
    """Returns True if each of two facts has a time of its own, which no other fact excludes."""
    if not is_held(ended):
        return True
    start, stop = timeline.validity_span(heir)
    return start < stop and not _excluded(ended, facts, {heir.id})


def _contradicts(source: str, target: str, now: datetime) -> Relation:
    return Relation(source, "contradicts", target, 1.0, now)


def _refuse(fact: Fact, states: Sequence[FactStatus], advice: str) -> None:
    if fact.status in states:
        raise StateError(f"fact {fact.id!r} is {fact.status}; {advice}", status=fact.status)

"""Turns a claim into a new fact, more evidence, a successor, a contradiction, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

from aforesaid.distill.facts.compare import last_said, same_slot, says_same, says_same_exactly
from aforesaid.distill.facts.timeline import Placement, place
from aforesaid.models.fact import (
    UNVERIFIED,
    Claim,
    Fact,
    FactChange,
    FactKind,
    FactProposal,
    Relation,
    TopicFacts,
    is_unverified,
)
from aforesaid.models.record import merge_records, record_text
from aforesaid.text.similarity import SIMILAR

IMPORTANCES: dict[FactKind, float] = {
    "fact": 0.5, "decision": 0.7, "preference": 0.6, "entity": 0.5, "procedure": 0.5, "constraint": 0.6, "goal": 0.8,
}  # fmt: skip
SHARED_FIELDS = {field.name for field in fields(Claim)} & {field.name for field in fields(Fact)}
MOST_CONFIDENCE = 0.99  # however often a fact is repeated
LIVE = ("active", "pending", "archived", "superseded")  # in this order a claim is compared with known facts


@dataclass(frozen=True, slots=True)
class ReconcileInput:
    """The parameters of a decision. A fact with the confidence `threshold` becomes active. `id` and `tokens` are for a
    new fact."""

    space: str
    now: datetime
    threshold: float
    id: str
    tokens: int


def reconcile(proposal: FactProposal, seen: TopicFacts, inputs: ReconcileInput) -> FactChange:
    """The records to write for a claim. Repeating the same claim of the same message changes nothing."""
    merged = None if proposal.claim.schema is None else _updated_record(proposal, seen)
    if merged is not None:
        proposal = replace(proposal, claim=_merged_claim(merged, proposal.claim))
    same = _same_fact(proposal, seen.facts)
    if same is not None and proposal.unverified and not is_unverified(same):
        return FactChange()
    if same is not None:
        return _strengthen(same, proposal, seen, inputs)
    if proposal.method != "manual" and _was_replaced(proposal, seen):
        return FactChange()
    rejected = [fact for fact in seen.facts if fact.status == "rejected"]
    if proposal.method != "manual" and any(says_same(proposal.claim, fact, SIMILAR) for fact in rejected):
        return FactChange()
    if proposal.method == "model" and _slot_is_filled(proposal, seen):
        return FactChange()
    change = _decide(new_fact(proposal, inputs), proposal, seen, inputs)
    return change if merged is None else replace(change, inherited=((inputs.id, merged.id),))


def _updated_record(proposal: FactProposal, seen: TopicFacts) -> Fact | None:
    """The active record that a later statement about the same one updates."""
    active = (fact for fact in seen.facts if fact.status == "active" and same_slot(fact, proposal.claim))
    return next((fact for fact in active if last_said(fact) <= proposal.said_at), None)


def _merged_claim(record: Fact, claim: Claim) -> Claim:
    value = merge_records([record.value, claim.value])
    return replace(claim, value=value, text=record_text(claim.schema or "", value))


def new_fact(proposal: FactProposal, inputs: ReconcileInput) -> Fact:
    """The claim as a pending fact, with an empty time of knowledge."""
    claim = proposal.claim
    return Fact(
        **{name: getattr(claim, name) for name in SHARED_FIELDS},
        id=inputs.id,
        space=inputs.space,
        status="pending",
        importance=IMPORTANCES[claim.kind] if proposal.importance is None else proposal.importance,
        method=proposal.method,
        model=proposal.model,
        tokens=inputs.tokens,
        evidence=(),
        known_from=inputs.now,
        known_until=inputs.now,
        accesses=0,
        accessed_at=None,
        created_at=inputs.now,
        updated_at=inputs.now,
    )


def _same_fact(proposal: FactProposal, facts: Sequence[Fact]) -> Fact | None:
    """The known fact that says the same: equal words before similar ones, which a manual claim does not match."""
    claim, same = proposal.claim, says_same_exactly if proposal.method == "manual" else says_same
    alike = [fact for fact in facts if _open_to(fact, proposal) and same(claim, fact)]
    return min(alike, key=lambda fact: (not says_same_exactly(claim, fact), LIVE.index(fact.status)), default=None)


def _open_to(fact: Fact, proposal: FactProposal) -> bool:
    """Returns True if the proposal can be evidence for the fact. For a superseded fact, it must be from its time."""
    if fact.status == "superseded":
        return fact.valid_until is not None and proposal.said_at < fact.valid_until
    return fact.status != "rejected"


def _was_replaced(proposal: FactProposal, seen: TopicFacts) -> bool:
    """Returns True if the message has said the same before, and an edit or another fact has replaced it since."""
    return any(fact.id in seen.proven and says_same_exactly(proposal.claim, fact) for fact in seen.facts)


def _slot_is_filled(proposal: FactProposal, seen: TopicFacts) -> bool:
    """Returns True if the same message has filled the slot already. A model does not overrule a pattern."""
    return any(fact.id in seen.proven and same_slot(fact, proposal.claim) for fact in seen.facts)


def _strengthen(fact: Fact, proposal: FactProposal, seen: TopicFacts, inputs: ReconcileInput) -> FactChange:
    known = fact.id in seen.proven
    claim = proposal.claim
    if known and proposal.method != "manual" and claim.confidence <= fact.confidence:
        return FactChange()
    surer = max(fact.confidence, min(MOST_CONFIDENCE, 1 - (1 - fact.confidence) * (1 - claim.confidence)))
    stronger = replace(
        fact,
        confidence=max(fact.confidence, claim.confidence) if known else surer,
        importance=fact.importance if proposal.importance is None else proposal.importance,
        category=fact.category or claim.category,
        tags=_merged_tags(fact, proposal),
        updated_at=inputs.now,
    )
    proofs = () if known or proposal.proof is None else ((fact.id, proposal.proof),)
    if fact.status in ("active", "superseded"):
        return FactChange(facts=(_narrowed(stronger, proposal),), proofs=proofs)
    repeated = not known and bool(fact.evidence)
    return replace(_decide(stronger, proposal, seen, inputs, repeated=repeated), proofs=proofs)


def _merged_tags(fact: Fact, proposal: FactProposal) -> tuple[str, ...]:
    """The tags of both. A verified claim removes what says that the fact is not verified."""
    own = () if is_unverified(fact) and not proposal.unverified else fact.tags
    kept = (tag for tag in fact.tags if tag in own or not tag.startswith(UNVERIFIED))
    return tuple(dict.fromkeys((*kept, *proposal.claim.tags)))


def _narrowed(fact: Fact, proposal: FactProposal) -> Fact:
    """The fact with the bounds of validity that the claim adds."""
    claim = proposal.claim
    start, stop = fact.valid_from or claim.valid_from, fact.valid_until or claim.valid_until
    if fact.status != "active" or (start is not None and stop is not None and start >= stop):
        return fact
    return replace(fact, valid_from=start, valid_until=stop)


def _decide(
    fact: Fact, proposal: FactProposal, seen: TopicFacts, inputs: ReconcileInput, *, repeated: bool = False
) -> FactChange:
    """The fact made active if it is certain enough, else pending, with a relation to a fact that it contradicts."""
    proofs = () if proposal.proof is None else ((fact.id, proposal.proof),)
    manual = proposal.method == "manual"
    replaces = manual or proposal.claim.replaces
    placement = Placement.among(seen.facts, fact, proposal.said_at, replaces=replaces)
    link = proposal.link
    if link is not None:  # the fact that the model names, which can be in another slot
        linked = (other for other in seen.facts if other.id == link.fact and other.id != fact.id)
        placement = replace(placement, others=tuple(dict.fromkeys((*placement.others, *linked))))
    certain = (repeated or fact.confidence >= inputs.threshold) and not is_unverified(fact)
    certain = certain and (link is None or link.relation == "updates")
    if manual or (certain and not _doubtful(proposal, placement, inputs)):
        change = place(placement, inputs.now)
        if change is not None:
            return replace(change, proofs=proofs)
    contradicted = placement.rivals or tuple(other for other in placement.others if other.status == "superseded")
    pending = replace(fact, status="pending", reason=None, withdrawn_from=None)
    relations = tuple(Relation(fact.id, "contradicts", rival.id, 1.0, inputs.now) for rival in contradicted[:1])
    return FactChange(facts=(pending,), proofs=proofs, relations=relations)


def _doubtful(proposal: FactProposal, placement: Placement, inputs: ReconcileInput) -> bool:
    """Returns True if the claim is too weak to end its rivals: hedged, said before them, or valid only temporarily."""
    claim = proposal.claim
    if any(proposal.said_at < moment for moment in placement.superseded_until):
        return True
    return any(
        claim.confidence < inputs.threshold
        or proposal.said_at < last_said(rival)
        or (claim.valid_until is not None and claim.valid_until > last_said(rival))
        for rival in placement.rivals
    )

"""What becomes of a claim: a new fact, more proof of an old one, its successor, its contradiction, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.distill.slot import last_said, same_slot, says_same, told_same
from recollect.distill.timeline import Placing, among, placed
from recollect.models import Fact, FactKind, Relation
from recollect.records import Change, Proposal, Seen
from recollect.text.likeness import LIKE

IMPORTANCES: dict[FactKind, float] = {
    "fact": 0.5, "decision": 0.7, "preference": 0.6, "entity": 0.5, "procedure": 0.5, "constraint": 0.6, "goal": 0.8,
}  # fmt: skip
SURE = 0.99  # no number of repetitions makes it certain
LIVE = ("active", "pending", "archived", "superseded")  # in this order a claim looks for its like


@dataclass(frozen=True, slots=True)
class Given:
    """What a decision needs besides the claim: whose memory, when, how certain a fact must be, a new id, the text's
    tokens."""

    space: str
    now: datetime
    threshold: float
    id: str
    tokens: int


def reconcile(proposal: Proposal, seen: Seen, given: Given) -> Change:
    """What to write for a claim. The same claim of the same message changes nothing a second time."""
    same = _like(proposal, seen.facts)
    if same is not None:
        return _strengthened(same, proposal, seen, given)
    if proposal.method != "manual" and _was_rejected(proposal, seen.facts):
        return Change()
    if proposal.method == "model" and _said_otherwise(proposal, seen):
        return Change()
    return _decided(fresh(proposal, given), proposal, seen, given)


def fresh(proposal: Proposal, given: Given) -> Fact:
    """The claim as a fact that nobody has confirmed yet: for no time was it known."""
    claim = proposal.claim
    return Fact(
        id=given.id,
        space=given.space,
        kind=claim.kind,
        subject=claim.subject,
        attribute=claim.attribute,
        value=claim.value,
        text=claim.text,
        status="pending",
        confidence=claim.confidence,
        importance=IMPORTANCES[claim.kind] if proposal.importance is None else proposal.importance,
        category=claim.category,
        tags=claim.tags,
        method=proposal.method,
        model=proposal.model,
        tokens=given.tokens,
        evidence=(),
        valid_from=claim.valid_from,
        valid_until=claim.valid_until,
        known_from=given.now,
        known_until=given.now,
        accesses=0,
        accessed_at=None,
        created_at=given.now,
        updated_at=given.now,
    )


def _like(proposal: Proposal, facts: Sequence[Fact]) -> Fact | None:
    """The fact that says the same already: in the same words rather than in similar ones, active rather than not. What
    somebody writes by hand is the same only to the letter."""
    claim, same = proposal.claim, told_same if proposal.method == "manual" else says_same
    alike = [fact for fact in facts if _open_to(fact, proposal) and same(claim, fact)]
    return min(alike, key=lambda fact: (not told_same(claim, fact), LIVE.index(fact.status)), default=None)


def _open_to(fact: Fact, proposal: Proposal) -> bool:
    """Whether more proof can be added: to what was true once, by those who said so then."""
    if fact.status == "superseded":
        return fact.valid_until is not None and proposal.said_at < fact.valid_until
    return fact.status != "rejected"


def _was_rejected(proposal: Proposal, facts: Sequence[Fact]) -> bool:
    return any(fact.status == "rejected" and says_same(proposal.claim, fact, LIKE) for fact in facts)


def _said_otherwise(proposal: Proposal, seen: Seen) -> bool:
    """Whether the same words have filled the same slot already: a model does not overrule a pattern."""
    return any(fact.id in seen.proven and same_slot(fact, proposal.claim) for fact in seen.facts)


def _strengthened(fact: Fact, proposal: Proposal, seen: Seen, given: Given) -> Change:
    again = fact.id in seen.proven
    claim = proposal.claim
    if again and proposal.method != "manual" and claim.confidence <= fact.confidence:
        return Change()
    surer = max(fact.confidence, min(SURE, 1 - (1 - fact.confidence) * (1 - claim.confidence)))
    stronger = replace(
        fact,
        confidence=max(fact.confidence, claim.confidence) if again else surer,
        importance=fact.importance if proposal.importance is None else proposal.importance,
        category=fact.category or claim.category,
        tags=tuple(dict.fromkeys((*fact.tags, *claim.tags))),
        updated_at=given.now,
    )
    proofs = () if again or proposal.proof is None else ((fact.id, proposal.proof),)
    if fact.status in ("active", "superseded"):
        return Change(facts=(_narrowed(stronger, proposal),), proofs=proofs)
    twice = not again and bool(fact.evidence)
    return replace(_decided(stronger, proposal, seen, given, twice=twice), proofs=proofs)


def _narrowed(fact: Fact, proposal: Proposal) -> Fact:
    """The fact with the bounds that the claim adds to it."""
    claim = proposal.claim
    start, stop = fact.valid_from or claim.valid_from, fact.valid_until or claim.valid_until
    if fact.status != "active" or (start is not None and stop is not None and start >= stop):
        return fact
    return replace(fact, valid_from=start, valid_until=stop)


def _decided(fact: Fact, proposal: Proposal, seen: Seen, given: Given, *, twice: bool = False) -> Change:
    """Active where it is certain enough and takes its place without doubt; else pending, beside what it contradicts."""
    proofs = () if proposal.proof is None else ((fact.id, proposal.proof),)
    placing = Placing(fact, proposal.said_at, among(fact, seen.facts))
    by_hand = proposal.method == "manual"
    certain = twice or fact.confidence >= given.threshold
    if by_hand or (certain and not _doubtful(proposal, placing, given)):
        change = placed(placing, given.now)
        if change is not None:
            return replace(change, proofs=proofs)
    against = placing.rivals or tuple(other for other in placing.others if other.status == "superseded")
    pending = replace(fact, status="pending")
    relations = tuple(Relation(fact.id, "contradicts", rival.id, 1.0, given.now) for rival in against[:1])
    return Change(facts=(pending,), proofs=proofs, relations=relations)


def _doubtful(proposal: Proposal, placing: Placing, given: Given) -> bool:
    """Whether it is too little to end what is held true: hedged, said before that was, or true only for a while."""
    claim = proposal.claim
    before = [other.valid_until for other in placing.others if other.status == "superseded" and other.valid_until]
    if any(proposal.said_at < moment for moment in before):
        return True
    return any(
        claim.confidence < given.threshold
        or proposal.said_at < last_said(rival)
        or (claim.valid_until is not None and claim.valid_until > last_said(rival))
        for rival in placing.rivals
    )

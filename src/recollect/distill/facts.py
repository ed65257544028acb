"""Claims become facts: each with the message that says it, reconciled with what is known."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from recollect.distill.extract.claims import claims
from recollect.distill.reading import Reading
from recollect.distill.reconcile import Given, reconcile
from recollect.distill.whose import attributed, speaker, under_name
from recollect.errors import InvalidInput, NotFound
from recollect.ids import Ids
from recollect.models import FactMethod
from recollect.ports import Clock, Facts, Tokenizer
from recollect.records import Change, Claim, Proof, Proposal, Seen, Topic, Utterance
from recollect.settings import Settings

log = logging.getLogger(__name__)


class Reconciling:
    """Puts proposals among the facts that are known, one transaction each."""

    def __init__(self, facts: Facts, tokenizer: Tokenizer, ids: Ids, clock: Clock) -> None:
        self._facts = facts
        self._tokenizer = tokenizer
        self._ids = ids
        self._clock = clock

    def settle(self, space: str, proposal: Proposal, threshold: float, *, durable: bool = False) -> Change:
        now = self._clock()
        id = self._ids.make(now)

        def decide(seen: Seen) -> Change:
            own = attributed(proposal, seen.user)
            return reconcile(own, seen, Given(space, now, threshold, id, self._tokenizer.count(own.claim.text)))

        named = under_name(proposal)
        topic = replace(_topic(proposal), named=None if named is None else _topic(named))
        return self._facts.change(space, topic, decide, now, durable=durable)


class Noting:
    """The step that reads what the user says and notes what it claims. Off where the setting `facts` is."""

    def __init__(self, reading: Reading, reconciling: Reconciling, settings: Callable[[str], Settings]) -> None:
        self._reading = reading
        self._reconciling = reconciling
        self._settings = settings

    def note(self, space: str, conversation: str) -> None:
        settings = self._settings(space)
        if not settings.flag("facts"):
            return
        threshold = settings.number("fact_threshold")
        for stretch in self._reading.unread(space, conversation):
            for utterance in stretch.said:
                for claim in claims(utterance):
                    settled(self._reconciling, space, proposed(claim, utterance), threshold)


def proposed(claim: Claim, utterance: Utterance, model: str | None = None) -> Proposal:
    """A claim with the message that says it."""
    proof = Proof(utterance.id, claim.quote, claim.text, claim.value)
    method: FactMethod = "pattern" if model is None else "model"
    return Proposal(claim, method, utterance.at, proof, model, speaker=speaker(utterance))


def settled(reconciling: Reconciling, space: str, proposal: Proposal, threshold: float) -> None:
    """Notes what a message claims, unless the message was deleted meanwhile or does not say so any more."""
    try:
        reconciling.settle(space, proposal, threshold)
    except (NotFound, InvalidInput):
        log.info("claim without a message", extra={"action": "claim_dropped"})


def _topic(proposal: Proposal) -> Topic:
    claim = proposal.claim
    message = None if proposal.proof is None else proposal.proof.message_id
    return Topic((), claim.subject, claim.attribute, claim.value, claim.text, message)

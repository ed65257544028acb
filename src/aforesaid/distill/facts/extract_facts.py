"""Extracts facts from a conversation, by patterns and by a model, and reconciles each with the known facts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar

from aforesaid.distill.facts.attribution import attribute, speaker_name
from aforesaid.distill.facts.claims import claims
from aforesaid.distill.facts.grounding import verify_claims
from aforesaid.distill.facts.reconcile import ReconcileInput, reconcile
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_extraction import ExtractionBatch
from aforesaid.distill.pipeline import Pause, no_pause, unread_batches
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.ids import Ids
from aforesaid.models.fact import Claim, FactChange, FactMethod, FactProposal, FactTopic, Proof, TopicFacts
from aforesaid.models.message import Utterance
from aforesaid.ports import Clock, Tokenizer
from aforesaid.settings import Settings
from aforesaid.storage.repositories.facts import Facts
from aforesaid.storage.store import Store
from aforesaid.text import validate

STEP = "facts"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PatternFactExtractor:
    """The distillation step that extracts facts by patterns. The setting `facts` turns it off."""

    store: Store
    reconciler: FactReconciler
    settings: Callable[[str], Settings]
    pause: Pause = no_pause

    def run(self, space: str, conversation: str) -> None:
        settings = self.settings(space)
        if not settings.flag("facts"):
            return
        threshold = settings.number("fact_threshold")
        for batch in unread_batches(self.store, STEP, space, conversation, self.pause):
            for utterance in batch.messages:
                for claim in claims(utterance):
                    store_proposal(self.reconciler, space, to_proposal(claim, utterance), threshold)


@dataclass(frozen=True, slots=True)
class ModelFactExtractor:
    """Extracts facts from a batch of messages with a model."""

    step: ClassVar[str] = "learn"
    setting: ClassVar[str] = "facts"

    reconciler: FactReconciler

    def read(self, llm_client: LLMClient, batch: ExtractionBatch) -> None:
        from aforesaid.distill.llm.structured_output import FactAnswer, fact_prompt

        answer = llm_client.ask(fact_prompt(batch.messages), FactAnswer, self.step, batch.space)
        verdicts = verify_claims(answer, batch.messages)
        messages = {utterance.id: utterance for utterance in batch.messages}
        threshold = batch.settings.number("fact_threshold")
        for proven in verdicts.proven:
            proposal = to_proposal(proven.claim, messages[proven.message_id], llm_client.name)
            store_proposal(self.reconciler, batch.space, proposal, threshold)
        counts = {"kept": len(verdicts.proven), "dropped": dict(verdicts.dropped)}
        log.info("facts extracted by a model", extra={"action": "learned", **counts})


def to_proposal(claim: Claim, utterance: Utterance, model: str | None = None) -> FactProposal:
    """A claim with the message that proves it."""
    proof = Proof(utterance.id, claim.quote, claim.text, claim.value)
    method: FactMethod = "pattern" if model is None else "model"
    return FactProposal(claim, method, utterance.at, proof, model, speaker=speaker_name(utterance))


def store_proposal(reconciler: FactReconciler, space: str, proposal: FactProposal, threshold: float) -> None:
    """Reconciles a proposal, unless its message was deleted or changed meanwhile."""
    try:
        reconciler.reconcile(space, proposal, threshold)
    except (NotFound, InvalidInput):
        log.info("claim without a message", extra={"action": "claim_dropped"})


def no_retention(_: str) -> Mapping[str, timedelta]:
    """Facts have no limit."""
    return {}


@dataclass(frozen=True, slots=True)
class FactReconciler:
    """Reconciles proposals with the known facts, each in one transaction."""

    facts: Facts
    tokenizer: Tokenizer
    ids: Ids
    clock: Clock
    retention: Callable[[str], Mapping[str, timedelta]] = no_retention  # of a space

    def reconcile(self, space: str, proposal: FactProposal, threshold: float, *, durable: bool = False) -> FactChange:
        now = self.clock()
        proposal = attribute(proposal, space)
        id = self.ids.make(now)
        after = proposal.expires or self.retention(space).get("facts")
        expires_at = None if after is None else validate.expiry(after, "expires", now)

        def decide(known: TopicFacts) -> FactChange:
            tokens = self.tokenizer.count(proposal.claim.text)
            change = reconcile(proposal, known, ReconcileInput(space, now, threshold, id, tokens))
            if not change.facts or (change.facts[-1].id != id and proposal.expires is None):
                return change
            *others, fact = change.facts
            return replace(change, facts=(*others, replace(fact, expires_at=expires_at)))

        return self.facts.change(space, _topic(proposal), decide, now, durable=durable)


def _topic(proposal: FactProposal) -> FactTopic:
    claim = proposal.claim
    message = None if proposal.proof is None else proposal.proof.message_id
    return FactTopic((), claim.subject, claim.attribute, claim.value, claim.text, message)

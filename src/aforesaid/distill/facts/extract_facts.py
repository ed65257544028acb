"""Extracts facts from a conversation, by patterns and by a model, and reconciles each with the known facts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from aforesaid.distill.facts.attribution import attribute, speaker_name
from aforesaid.distill.facts.claims import claims
from aforesaid.distill.facts.grounding import ProvenClaim, verify_claims
from aforesaid.distill.facts.known_facts import KnownFacts, describe, resolve_link
from aforesaid.distill.facts.reconcile import ReconcileInput, reconcile
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_extraction import ExtractionBatch
from aforesaid.distill.pipeline import Pause, no_pause, unread_batches
from aforesaid.errors import CapReached, InvalidInput, NotFound, ProviderError
from aforesaid.ids import Ids
from aforesaid.models.fact import (
    UNVERIFIED,
    Claim,
    Fact,
    FactChange,
    FactLink,
    FactMethod,
    FactProposal,
    FactTopic,
    Proof,
    TopicFacts,
)
from aforesaid.models.message import Utterance
from aforesaid.ports import Clock, Prompt, Tokenizer
from aforesaid.settings import Settings
from aforesaid.storage.repositories.facts import Facts
from aforesaid.storage.store import Store
from aforesaid.text import validate

if TYPE_CHECKING:
    from aforesaid.distill.llm.structured_output import ModelClaim

STEP = "facts"
CHECK = "check"  # the operation of the second question

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
    """Extracts facts from a batch of messages with a model, which is shown the known facts that they may concern. A
    second call asks whether a quote says a claim for which the rules cannot decide it."""

    step: ClassVar[str] = "learn"
    setting: ClassVar[str] = "facts"

    reconciler: FactReconciler
    known: KnownFacts

    def read(self, llm_client: LLMClient, batch: ExtractionBatch) -> None:
        from aforesaid.distill.llm.structured_output import FactAnswer, check_prompt, fact_prompt

        def ask_again(claims: Sequence[ProvenClaim]) -> Prompt:
            return check_prompt([(each.passage.text, each.claim) for each in claims])

        shown = self.known.near(batch, llm_client)
        prompt = fact_prompt(batch.messages, [describe(fact) for fact in shown], batch.settings.word("instructions"))
        verdicts = verify_claims(llm_client.ask(prompt, FactAnswer, self.step, batch.space), batch.messages)
        proven = confirmed(llm_client, batch.space, verdicts.proven, ask_again)
        messages = {utterance.id: utterance for utterance in batch.messages}
        threshold = batch.settings.number("fact_threshold")
        for each in proven:
            proposal = to_proposal(each.claim, messages[each.message_id], llm_client.name)
            link = fact_link(each.given, shown)
            store_proposal(self.reconciler, batch.space, replace(proposal, link=link), threshold)
        denied = {"not confirmed": len(verdicts.proven) - len(proven)}
        counts = {"kept": len(proven), "dropped": dict(verdicts.dropped) | denied}
        log.info("facts extracted by a model", extra={"action": "learned", **counts})


class Unconfirmed(Protocol):
    """A proven claim or record. `sure` is False if the rules cannot decide whether its passage says it."""

    @property
    def claim(self) -> Claim: ...
    @property
    def sure(self) -> bool: ...


Proven = TypeVar("Proven", bound=Unconfirmed)


def confirmed(
    llm_client: LLMClient, space: str, proven: Sequence[Proven], ask_again: Callable[[Sequence[Proven]], Prompt]
) -> Sequence[Proven]:
    """The claims without those that the model denies. What it cannot say now is stored for a review."""
    from aforesaid.distill.llm.structured_output import CheckAnswer

    unsure = [each for each in proven if not each.sure]
    if not unsure:
        return proven
    try:
        answers = llm_client.ask(ask_again(unsure), CheckAnswer, CHECK, space).answers
    except ProviderError as exc:
        answers, reason = [], "daily cap" if isinstance(exc, CapReached) else "no answer"
    else:
        reason = "no answer"
    if len(answers) != len(unsure):
        return [each if each.sure else unverified(each, reason) for each in proven]
    denied = {id(each) for each, said in zip(unsure, answers, strict=True) if not said}
    return [each for each in proven if id(each) not in denied]


def unverified(proven: Proven, reason: str) -> Proven:
    """The claim, to be stored for a review."""
    return replace(proven, claim=replace(proven.claim, tags=(UNVERIFIED + reason,)))  # type: ignore[type-var]


def fact_link(given: ModelClaim, shown: Sequence[Fact]) -> FactLink | None:
    """What the model says a claim is to a fact that it was shown; None for a new one."""
    ids = {f"k{number}": fact.id for number, fact in enumerate(shown, 1)}
    if given.relation == "new" or given.known not in ids:
        return None
    return FactLink(given.relation, ids[given.known])


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
            resolved = resolve_link(proposal, known)
            tokens = self.tokenizer.count(resolved.claim.text)
            change = reconcile(resolved, known, ReconcileInput(space, now, threshold, id, tokens))
            if not change.facts or (change.facts[-1].id != id and proposal.expires is None):
                return change
            *others, fact = change.facts
            return replace(change, facts=(*others, replace(fact, expires_at=expires_at)))

        return self.facts.change(space, _topic(proposal), decide, now, durable=durable)


def _topic(proposal: FactProposal) -> FactTopic:
    claim = proposal.claim
    message = None if proposal.proof is None else proposal.proof.message_id
    ids = () if proposal.link is None else (proposal.link.fact,)
    return FactTopic(ids, claim.subject, claim.attribute, claim.value, claim.text, message)

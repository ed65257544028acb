"""The known facts that a model is shown with messages, and what it says a claim is to one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from aforesaid.distill.facts.compare import last_said, says_same
from aforesaid.distill.facts.entailment import same_topic
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_extraction import ExtractionBatch
from aforesaid.distill.llm.model_router import ModelRouter, conversation_audience
from aforesaid.models.fact import Claim, Evidence, Fact, FactFilter, FactProposal, TopicFacts
from aforesaid.storage.store import Store
from aforesaid.text.similarity import SIMILAR, comparison_key, same_text

MOST_SHOWN = 24
MOST_TOKENS = 1_000
QUERY_CHARACTERS = 1_000  # of a message
ANSWERED_WITHIN = 8  # messages after that of a quote that show which model it was sent to

FindFacts = Callable[[str, str], Sequence[Fact]]  # takes a space and a text; the nearest facts, best first


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Finds the active facts that messages may concern. A fact that was said to a local model is never shown to a
    remote one."""

    find: FindFacts
    store: Store
    model_router: ModelRouter

    def near(self, batch: ExtractionBatch, llm_client: LLMClient) -> list[Fact]:
        """The facts nearest to each message of the user, by similarity and words, and others if there are few; at most
        24, and 1,000 tokens."""
        texts = [message.text[:QUERY_CHARACTERS] for message in batch.messages if message.role == "user"]
        ranked = zip_longest(*(self.find(batch.space, text) for text in texts))
        others = self.store.facts.list(batch.space, FactFilter("active"), MOST_SHOWN, None)
        own = {message.id for message in batch.messages}
        shown: list[Fact] = []
        room = MOST_TOKENS
        for fact in {fact.id: fact for fact in chain(*ranked, others) if fact is not None}.values():
            new = (
                fact.status != "active" or fact.schema is not None or own & {each.message_id for each in fact.evidence}
            )
            if new or not (llm_client.local or self._may_leave(batch.space, fact)):
                continue
            room -= llm_client.tokenizer.count(describe(fact)) + 4
            if room < 0 or len(shown) == MOST_SHOWN:
                break
            shown.append(fact)
        return shown

    def records_near(self, batch: ExtractionBatch, llm_client: LLMClient) -> list[Fact]:
        """The active records with a key that are nearest to the messages, under the same limits."""
        texts = [message.text[:QUERY_CHARACTERS] for message in batch.messages if message.role == "user"]
        ranked = zip_longest(*(self.find(batch.space, text) for text in texts))
        shown: list[Fact] = []
        room = MOST_TOKENS
        for fact in {fact.id: fact for fact in chain(*ranked) if fact is not None}.values():
            keyed = fact.status == "active" and fact.schema is not None and fact.attribute is not None
            if not keyed or not (llm_client.local or self._may_leave(batch.space, fact)):
                continue
            room -= llm_client.tokenizer.count(fact.text) + 4
            if room < 0 or len(shown) == MOST_SHOWN:
                break
            shown.append(fact)
        return shown

    def _may_leave(self, space: str, fact: Fact) -> bool:
        models = self.model_router.models
        return not any(model and models.local(model) for each in fact.evidence for model in self._audience(space, each))

    def _audience(self, space: str, evidence: Evidence) -> Iterator[str | None]:
        message = self.store.messages.known(space, [evidence.message_id]).get(evidence.message_id)
        if message is not None:
            place = space, evidence.conversation
            after = self.store.messages.utterances(*place, message.seq - 1, ANSWERED_WITHIN)
            yield from conversation_audience(self.store, *place, after)[:1]


def describe(fact: Fact) -> str:
    """A fact on one line, for a prompt."""
    slot = f" ({fact.attribute}: {fact.value})" if fact.attribute else ""
    return " ".join(f"{fact.subject}{slot}: {fact.text}; said {last_said(fact).date().isoformat()}".split())


def resolve_link(proposal: FactProposal, seen: TopicFacts) -> FactProposal:
    """The claim in the slot of the fact that the model names. The link is dropped unless that fact is active, older, of
    the same subject and about the same; a claim that is said to be the same must agree."""
    claim, link = proposal.claim, proposal.link
    fact = next((each for each in seen.facts if link is not None and each.id == link.fact), None)
    if link is None or fact is None or not _concerns(proposal, fact, seen):
        return replace(proposal, link=None)
    moved = replace(claim, attribute=fact.attribute) if fact.value is not None and claim.value is not None else claim
    if link.relation == "same":
        agrees = says_same(moved, fact, SIMILAR) or same_text(claim.text, fact.text, SIMILAR)
        return replace(proposal, claim=_as_known(moved, fact) if agrees else claim, link=None)
    return replace(proposal, claim=moved)


def _concerns(proposal: FactProposal, fact: Fact, seen: TopicFacts) -> bool:
    claim = proposal.claim
    older = fact.id not in seen.proven and last_said(fact) <= proposal.said_at
    subject = comparison_key(fact.subject) == comparison_key(claim.subject)
    notes = (" ".join(filter(None, (each.attribute, each.text))) for each in (fact, claim))
    return fact.status == "active" and fact.schema is None and older and subject and same_topic(*notes)


def _as_known(claim: Claim, fact: Fact) -> Claim:
    return replace(claim, attribute=fact.attribute, value=fact.value, text=fact.text)

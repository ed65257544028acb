"""Extracts records of the owner's schemas from a batch of messages, with a model."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from aforesaid.distill.facts.extract_facts import FactReconciler, confirmed, store_proposal, to_proposal
from aforesaid.distill.facts.known_facts import KnownFacts
from aforesaid.distill.llm.llm_call import LLMClient
from aforesaid.distill.llm.model_extraction import ExtractionBatch
from aforesaid.distill.records.definitions import STEP, Schemas
from aforesaid.distill.records.record_gate import ProvenRecord, verify_records
from aforesaid.ports import Prompt

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelRecordExtractor:
    """One call for all schemas of a space. A second call asks whether a quote says a record for which the rules cannot
    decide it."""

    step: ClassVar[str] = STEP
    setting: ClassVar[str] = "facts"

    reconciler: FactReconciler
    known: KnownFacts
    schemas: Schemas

    def read(self, llm_client: LLMClient, batch: ExtractionBatch) -> None:
        schemas = self.schemas.all(batch.space)
        if not schemas:
            return
        from aforesaid.distill.records.record_prompt import RecordAnswer, record_check_prompt, record_prompt

        def ask_again(records: Sequence[ProvenRecord]) -> Prompt:
            named = {each.schema.name: each.schema for each in records}
            return record_check_prompt([(each.passage.text, each.claim.text) for each in records], named.values())

        shown = self.known.records_near(batch, llm_client)
        prompt = record_prompt(schemas.values(), batch.messages, [fact.text for fact in shown])
        answer = llm_client.ask(prompt, RecordAnswer, self.step, batch.space)
        verdicts = verify_records(answer, schemas, batch.messages)
        proven = confirmed(llm_client, batch.space, verdicts.proven, ask_again)
        messages = {utterance.id: utterance for utterance in batch.messages}
        threshold = batch.settings.number("fact_threshold")
        for each in proven:
            proposal = to_proposal(each.claim, messages[each.message_id], llm_client.name)
            store_proposal(self.reconciler, batch.space, proposal, threshold)
        denied = {"not confirmed": len(verdicts.proven) - len(proven)}
        counts = {"kept": len(proven), "dropped": dict(verdicts.dropped) | denied}
        log.info("records extracted by a model", extra={"action": "recorded", **counts})

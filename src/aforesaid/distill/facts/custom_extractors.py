"""Runs the extractors of a program or a package as a job of the slow worker. Their claims pass the same gate."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aforesaid.distill.facts.extract_facts import FactReconciler, store_proposal, to_proposal, unverified
from aforesaid.distill.facts.grounding import verify_claims
from aforesaid.distill.pipeline import unread_batches
from aforesaid.errors import InvalidInput
from aforesaid.models.fact import ExtractedClaim
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.message import Utterance
from aforesaid.ports import Clock, Extractor
from aforesaid.settings import Settings
from aforesaid.storage.store import Store

JOB = "extract"
STEP = "facts/"  # begins the step of an extractor
UNDECIDED = "the rules cannot decide"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CustomExtractors:
    """Each extractor reads every message once, in batches. The setting `facts` turns them off."""

    extractors: Sequence[Extractor]
    store: Store
    reconciler: FactReconciler
    settings: Callable[[str], Settings]
    clock: Clock

    def queue(self, space: str, conversation: str) -> None:
        if self.extractors and self.settings(space).flag("facts"):
            self.store.jobs.queue(JOB, space, conversation, self.clock())

    def run(self, jobs: Sequence[Job]) -> JobOutcome:
        for job in jobs:
            if job.space is not None and job.conversation is not None:  # deleted since
                for extractor in self.extractors:
                    self._run(extractor, job.space, job.conversation)
        return "done"

    def _run(self, extractor: Extractor, space: str, conversation: str) -> None:
        settings = self.settings(space)
        if not settings.flag("facts"):
            return
        threshold = settings.number("fact_threshold")
        for batch in unread_batches(self.store, STEP + extractor.name, space, conversation):
            claims = list(extractor.extract(batch.messages))
            self._store(extractor, space, claims, batch.messages, threshold)

    def _store(
        self,
        extractor: Extractor,
        space: str,
        claims: Sequence[ExtractedClaim],
        messages: Sequence[Utterance],
        threshold: float,
    ) -> None:
        from pydantic import ValidationError

        from aforesaid.distill.llm.structured_output import FactAnswer, ModelClaim

        numbers = {message.id: number for number, message in enumerate(messages, 1)}
        try:
            given = [
                ModelClaim(
                    message=numbers.get(claim.message_id, 0),
                    kind=claim.kind,
                    subject=claim.subject,
                    attribute=claim.attribute,
                    value=claim.value,
                    text=claim.text,
                    quote=claim.quote,
                    confidence=claim.confidence,
                )
                for claim in claims
            ]
        except ValidationError as exc:
            detail = exc.errors(include_input=False)[0]
            place = ".".join(map(str, detail["loc"]))
            raise InvalidInput(f"extractor {extractor.name!r} gave an invalid {place}: {detail['msg']}") from exc
        verdicts = verify_claims(FactAnswer(claims=given), messages)
        by_id = {message.id: message for message in messages}
        for proven in verdicts.proven:
            claim = (proven if proven.sure else unverified(proven, UNDECIDED)).claim
            proposal = to_proposal(claim, by_id[proven.message_id], extractor.name)
            store_proposal(self.reconciler, space, replace(proposal, model=extractor.name), threshold)
        counts = {"kept": len(verdicts.proven), "dropped": dict(verdicts.dropped)}
        log.info("facts extracted by %s", extractor.name, extra={"action": "extracted", **counts})

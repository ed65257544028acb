"""Facts by a model, through the evidence gate. Patterns have read the same messages before."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import ClassVar

from recollect.distill.facts import Reconciling, proposed, settled
from recollect.distill.study import Heard
from recollect.distill.think import Thinker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Learning:
    """Reads a stretch for claims; each is reconciled with what is known."""

    step: ClassVar[str] = "learn"
    setting: ClassVar[str] = "facts"

    reconciling: Reconciling

    def read(self, thinker: Thinker, heard: Heard) -> None:
        from recollect.distill.extract.evidence import gated
        from recollect.distill.extract.model import Answer, prompt

        answer = gated(thinker.ask(prompt(heard.said), Answer, self.step, heard.space), heard.said)
        said = {utterance.id: utterance for utterance in heard.said}
        threshold = heard.settings.number("fact_threshold")
        for proven in answer.proven:
            proposal = proposed(proven.claim, said[proven.message_id], thinker.name)
            settled(self.reconciling, heard.space, proposal, threshold)
        log.info("learned", extra={"action": "learned", "kept": len(answer.proven), "dropped": dict(answer.dropped)})

"""Facts by a model: a stretch of a conversation at a time, through the evidence gate. Patterns have read it before."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from recollect.distill.facts import Reconciling, proposed, settled
from recollect.distill.hearers import heard_by
from recollect.distill.think import Thinker
from recollect.distill.thinkers import Thinkers
from recollect.errors import CapReached, ProviderError, ProviderRefused
from recollect.models import Job, Outcome
from recollect.ports import Clock, Store
from recollect.records import Utterance
from recollect.settings import Settings

EVERY = 10  # user messages; fewer when the conversation rests
READ = 60  # messages looked at for a stretch
LONGEST = 24_000  # characters of a stretch: small models have small windows
STEP = "learn"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """What is to be read next, by whoever thinks for `own`. `left`: the conversation has gone on with a model that
    somebody else thinks for."""

    said: Sequence[Utterance]
    own: str | None
    left: bool

    def due(self, *, rests: bool) -> bool:
        return self.left or users(self.said) >= (1 if rests else EVERY) or full(self.said)


@dataclass(frozen=True, slots=True)
class Learning:
    """The step `queue` asks for the job `learn` where a model is to be had and enough was said; the job does it."""

    store: Store
    thinkers: Thinkers
    reconciling: Reconciling
    settings: Callable[[str], Settings]
    clock: Clock

    def queue(self, space: str, conversation: str) -> None:
        own, rests = self._stands(space, conversation)
        if self.thinkers.name(own) is None or not self.settings(space).flag("facts"):
            return
        if self._next(space, conversation).due(rests=rests):
            self.store.jobs.queue(STEP, space, conversation, self.clock())

    def learn(self, jobs: Sequence[Job]) -> Outcome:
        outcomes = [
            self._stretch(job.space, job.conversation)
            for job in jobs
            if job.space is not None and job.conversation is not None  # None: deleted since
        ]
        return "more" if "more" in outcomes else "done"

    def _stretch(self, space: str, conversation: str) -> Outcome:
        """One stretch. What the model refuses is left to the patterns; what it cannot read now, it reads with what is
        said next: nobody waits for it, and least of all for one that the conversation has left."""
        settings = self.settings(space)
        seen = self.store.spaces.revision(space)
        part = self._next(space, conversation)
        rests = self._stands(space, conversation)[1]
        if not part.due(rests=rests) or seen is None or not settings.flag("facts"):
            return "done"
        try:
            thinker = self.thinkers.of(part.own, masked=settings.flag("mask_sent"))
            if thinker is None and not part.left:
                return "done"
            if thinker is not None and users(part.said):
                self._ask(thinker, space, part.said, settings.number("fact_threshold"))
        except ProviderError as exc:
            log.warning("not learned", extra={"action": "not_learned", "error": str(exc)})
            if isinstance(exc, CapReached) or not (part.left or isinstance(exc, ProviderRefused)):
                return "done"
        self.store.progress.advance(space, conversation, STEP, part.said[-1].seq, seen)
        return "more"

    def _ask(self, thinker: Thinker, space: str, utterances: Sequence[Utterance], threshold: float) -> None:
        from recollect.distill.extract.evidence import gated
        from recollect.distill.extract.model import Answer, prompt

        answer = gated(thinker.ask(prompt(utterances), Answer, STEP, space), utterances)
        said = {utterance.id: utterance for utterance in utterances}
        for proven in answer.proven:
            proposal = proposed(proven.claim, said[proven.message_id], thinker.name)
            settled(self.reconciling, space, proposal, threshold)
        log.info("learned", extra={"action": "learned", "kept": len(answer.proven), "dropped": dict(answer.dropped)})

    def _next(self, space: str, conversation: str) -> Part:
        reached = self.store.progress.reached(space, conversation, STEP)
        unread = self.store.messages.utterances(space, conversation, reached, READ)
        heard = heard_by(self.store, space, conversation, unread)
        alike = sum(1 for _ in takewhile(lambda own: self.thinkers.name(own) == self.thinkers.name(heard[0]), heard))
        return Part(stretch(unread[:alike]), heard[0] if heard else None, alike < len(unread))

    def _stands(self, space: str, conversation: str) -> tuple[str | None, bool]:
        """The model that the conversation is held with, and whether nobody is speaking in it."""
        info = self.store.conversations.get(space, conversation)
        return (None, False) if info is None else (info.model, info.status != "active")


def users(utterances: Sequence[Utterance]) -> int:
    return sum(utterance.role == "user" for utterance in utterances)


def full(utterances: Sequence[Utterance]) -> bool:
    """Whether so much was said that it must be read now, however few have said it."""
    return bool(users(utterances)) and sum(len(utterance.text) for utterance in utterances) >= LONGEST


def stretch(utterances: Sequence[Utterance]) -> list[Utterance]:
    """The first of these messages, up to the tenth of the user or as many as a model can read; at least one."""
    taken: list[Utterance] = []
    length = 0
    for utterance in utterances:
        if taken and (users(taken) >= EVERY or length >= LONGEST):
            break
        taken.append(utterance)
        length += len(utterance.text)
    return taken

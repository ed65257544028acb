"""Runs a model extractor over the unread messages of a conversation, in batches, as a job of the slow worker.

Facts and episodes have separate jobs: forgetting a message resets the progress of episodes, but not of facts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import ClassVar, Protocol

from aforesaid.distill.llm.backoff import Backoff
from aforesaid.distill.llm.llm_call import ERROR_CHARACTERS, LLMClient
from aforesaid.distill.llm.model_router import ModelRouter, conversation_audience
from aforesaid.errors import CapReached, ProviderError, ProviderRefused, log_text
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.message import Utterance
from aforesaid.models.space import SpaceRevision
from aforesaid.ports import Clock
from aforesaid.settings import Settings
from aforesaid.storage.store import Store

BATCH_USER_MESSAGES = 10  # fewer if the conversation is not active
READ_MESSAGES = 60  # messages read to form a batch
BATCH_CHARACTERS = 24_000  # small models have small context windows

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionBatch:
    """Messages for a model, at least one. Results are discarded if the space's revision is no longer `seen`."""

    space: str
    conversation: str
    messages: Sequence[Utterance]
    seen: SpaceRevision
    settings: Settings


class ModelExtractor(Protocol):
    """Extracts facts or episodes from a batch. `step` is the kind of its job, `setting` the flag that turns it off."""

    step: ClassVar[str]
    setting: ClassVar[str]

    def read(self, llm_client: LLMClient, batch: ExtractionBatch) -> None:
        """Raises ProviderError if the model gives no usable answer."""


@dataclass(frozen=True, slots=True)
class PendingBatch:
    """The messages to read next, for the model `own`. `left` is True if later messages belong to another model."""

    messages: Sequence[Utterance]
    own: str | None
    left: bool

    def due(self, *, idle: bool) -> bool:
        count = user_messages(self.messages)
        full = count and sum(len(message.text) for message in self.messages) >= BATCH_CHARACTERS
        return bool(self.left or full or count >= (1 if idle else BATCH_USER_MESSAGES))


@dataclass(frozen=True, slots=True)
class ModelExtraction:
    """`queue` adds the extractor's job if a model is available and a batch is due; `run` executes it."""

    store: Store
    model_router: ModelRouter
    settings: Callable[[str], Settings]
    clock: Clock
    extractor: ModelExtractor
    backoff: Backoff = field(default_factory=Backoff)

    def queue(self, space: str, conversation: str) -> None:
        own, idle = self._state(space, conversation)
        if self.model_router.background_model(own) is None or not self.settings(space).flag(self.extractor.setting):
            return
        if self._next(space, conversation).due(idle=idle):
            self.store.jobs.queue(self.extractor.step, space, conversation, self.clock())

    def run(self, jobs: Sequence[Job]) -> JobOutcome:
        """A job that the model cannot do now is finished with the reason. The next message queues another one."""
        outcomes: list[JobOutcome] = []
        for job in jobs:
            if job.space is None or job.conversation is None:  # deleted since
                continue
            try:
                outcomes.append(self._run_batch(job.space, job.conversation))
            except ProviderError as exc:
                self.store.jobs.finish([job], 0, self.clock(), str(exc)[:ERROR_CHARACTERS])
        return "more" if "more" in outcomes else "done"

    def _run_batch(self, space: str, conversation: str) -> JobOutcome:
        """Reads one batch. A batch that the model refuses is skipped. Raises ProviderError if the model cannot read it
        now; it is then read with later messages, unless these belong to another model."""
        settings = self.settings(space)
        seen = self.store.spaces.revision(space)
        pending = self._next(space, conversation)
        idle = self._state(space, conversation)[1]
        if not pending.due(idle=idle) or seen is None or not settings.flag(self.extractor.setting):
            return "done"
        try:
            llm_client = self.model_router.client(pending.own, masked=settings.flag("mask_sent"))
            if llm_client is None and not pending.left:
                return "done"
            if llm_client is not None and user_messages(pending.messages):
                batch = ExtractionBatch(space, conversation, pending.messages, seen, settings)
                self._read(llm_client, batch, idle=idle)
        except ProviderError as exc:
            step, reason = self.extractor.step, log_text(exc)
            log.warning("not read: %s, %s", step, reason, extra={"action": "not_read", "step": step, "error": reason})
            refused = isinstance(exc, ProviderRefused) and not exc.mendable
            if isinstance(exc, CapReached) or not (pending.left or refused):
                raise
        self.store.progress.advance(space, conversation, self.extractor.step, pending.messages[-1].seq, seen)
        return "more"

    def _read(self, llm_client: LLMClient, batch: ExtractionBatch, *, idle: bool) -> None:
        """Calls the extractor. The back-off applies unless the conversation is idle: then no later message may come."""
        if not idle:
            self.backoff.check(llm_client.name, self.clock())
        try:
            self.extractor.read(llm_client, batch)
        except ProviderRefused as exc:
            if exc.mendable:
                self.backoff.begin(llm_client.name, str(exc), self.clock())
            raise
        self.backoff.end(llm_client.name)

    def _next(self, space: str, conversation: str) -> PendingBatch:
        reached = self.store.progress.reached(space, conversation, self.extractor.step)
        unread = self.store.messages.utterances(space, conversation, reached, READ_MESSAGES)
        audience = conversation_audience(self.store, space, conversation, unread)
        readers = [self.model_router.background_model(own) for own in audience]
        alike = sum(1 for _ in takewhile(lambda reader: reader == readers[0], readers))
        return PendingBatch(first_batch(unread[:alike]), audience[0] if audience else None, alike < len(unread))

    def _state(self, space: str, conversation: str) -> tuple[str | None, bool]:
        """The conversation's model, and True if the conversation is not active."""
        info = self.store.conversations.get(space, conversation)
        return (None, False) if info is None else (info.model, info.status != "active")


def user_messages(utterances: Sequence[Utterance]) -> int:
    return sum(utterance.role == "user" for utterance in utterances)


def first_batch(utterances: Sequence[Utterance]) -> list[Utterance]:
    """The first messages, up to the tenth of the user or the character limit; at least one."""
    batch: list[Utterance] = []
    length = 0
    for utterance in utterances:
        if batch and (user_messages(batch) >= BATCH_USER_MESSAGES or length >= BATCH_CHARACTERS):
            break
        batch.append(utterance)
        length += len(utterance.text)
    return batch

"""Creates one summary: records the start, writes the text, records the end.

The record and its lineage are stored before the messages are read. Deleting a message deletes the record, so a late
result is discarded."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from aforesaid.distill.llm.model_router import conversation_audience
from aforesaid.distill.summaries.due import SeqRange
from aforesaid.distill.summaries.summary_writer import PreviousSummary, SummaryRequest, SummaryWriter
from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.message import Message, Utterance
from aforesaid.models.summary import Summary, SummaryKind
from aforesaid.ports import Clock
from aforesaid.settings import Settings
from aforesaid.storage.renewal import renewing
from aforesaid.storage.store import Store
from aforesaid.text.sentences import dialogue_messages

STUCK_AFTER = timedelta(minutes=5)  # without a sign of life; then another worker creates the summary
RETRY_AFTER = timedelta(seconds=20)  # a job that finds its summary in progress elsewhere looks again
RENEW_SECONDS = 10.0  # between two signs of life of a summary in progress
IMPORTANCE = 0.7
PAGE = 500  # messages

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """A summary to create. `alone`: not while another one of its kind is created for the same messages. `again`: an
    earlier attempt of the same job may have left one in progress; its worker is dead, because it lost the job."""

    space: str
    conversation: str
    kind: SummaryKind
    range: SeqRange
    base: Summary | None = None
    alone: bool = True
    again: bool = False


@dataclass(frozen=True, slots=True)
class SummaryJob:
    store: Store
    writer: SummaryWriter
    settings: Callable[[str], Settings]
    clock: Clock
    make_id: Callable[[datetime], str]

    def make(self, plan: SummaryPlan) -> Summary | None:
        """The summary; None if another worker took it over, or its messages were deleted meanwhile. Raises
        ConflictError if another worker is creating it, NotFound if there are no messages."""
        begun = self._begin(plan)
        try:
            summary = self._write(plan, begun)
        except Exception as exc:
            self._end(replace(begun, status="failed", error=type(exc).__name__))
            raise
        return summary if self._end(summary) else None

    def _begin(self, plan: SummaryPlan) -> Summary:
        """Records the range before the messages are read, so that deleting one of them also deletes the summary."""
        now = self.clock()
        span, base = plan.range, plan.base
        count = len(self.messages(plan.space, plan.conversation, span))
        if not count:
            raise NotFound(f"conversation {plan.conversation!r} has no messages from {span.first} to {span.last}")
        begun = Summary(
            self.make_id(now), plan.space, plan.conversation, plan.kind, span.first, span.last, count, "", (),
            IMPORTANCE, None if base is None else base.id, "processing", None, None, 0, None, None, now,
        )  # fmt: skip
        stuck = now - (RETRY_AFTER if plan.again else STUCK_AFTER)
        self.store.summaries.begin(begun, stuck if plan.alone else None)
        return begun

    def _write(self, plan: SummaryPlan, begun: Summary) -> Summary:
        begin = time.perf_counter()
        with renewing(lambda: self.store.summaries.renew(begun, self.clock()), RENEW_SECONDS):
            written = self.writer.write(self._request(plan))
        milliseconds = (time.perf_counter() - begin) * 1000
        return replace(begun, status="completed", milliseconds=milliseconds, **asdict(written))

    def _request(self, plan: SummaryPlan) -> SummaryRequest:
        messages = self.messages(plan.space, plan.conversation, plan.range)
        dialogue = dialogue_messages([to_utterance(message) for message in messages])
        base = plan.base
        previous = None if base is None else PreviousSummary(base.text, plan.range.first)
        new = dialogue if base is None else tuple(message for message in dialogue if message.seq > base.last_seq)
        masked = self.settings(plan.space).flag("mask_sent")
        return SummaryRequest(plan.space, dialogue, new, previous, self._model(plan, messages), masked)

    def _model(self, plan: SummaryPlan, messages: Sequence[Message]) -> str | None:
        """The model for the messages and those behind the base: a local model if any of them was sent to one."""
        model_router = self.writer.model_router
        own = model_router.most_private(conversation_audience(self.store, plan.space, plan.conversation, messages))
        if plan.base is None or model_router.stays_local(own):
            return own
        return model_router.most_private([own, *self._base_audience(plan.base)])

    def _base_audience(self, base: Summary) -> Sequence[str | None]:
        """The models that the messages behind a summary were sent to. The text of a remote model is not private."""
        if base.model is None:
            messages = self.messages(base.space, base.conversation, SeqRange(base.first_seq, base.last_seq))
            return conversation_audience(self.store, base.space, base.conversation, messages)
        if not self.writer.model_router.models.local(base.model):
            return []
        return self.store.messages.models(base.space, base.conversation, base.last_seq)

    def postpone(self, job: Job, conflict: ConflictError) -> JobOutcome:
        """Queues a job again for later: another worker or thread is creating the summary."""
        where = {"space": job.space, "conversation": job.conversation, "kind": job.kind}
        log.debug("summary in progress elsewhere", extra={"action": "summary_skipped", "id": conflict.id, **where})
        self.store.jobs.again([job], self.clock() + RETRY_AFTER)
        return "ended"

    def messages(self, space: str, conversation: str, span: SeqRange) -> list[Message]:
        messages: list[Message] = []
        after = span.first - 1
        while after < span.last:
            page = self.store.messages.page(space, conversation, min(PAGE, span.last - after), after, None)
            messages += [message for message in page if message.seq <= span.last]
            if not page:
                break
            after = page[-1].seq
        return messages

    def _end(self, summary: Summary) -> bool:
        ended = self.store.summaries.end(summary)
        fields = ("kind", "space", "conversation", "first_seq", "last_seq", "status", "method", "milliseconds")
        about = {name: getattr(summary, name) for name in fields}
        if not ended:
            log.info("summary discarded: it was too late", extra={"action": "summary_void", **about})
        elif summary.status == "failed":
            log.warning("summary failed", extra={"action": "summary_failed", **about})
        else:
            log.info("messages summarised", extra={"action": "summarised", **about})
        log.debug("summary status updated", extra={"action": "summary_status", "id": summary.id, **about})
        return ended


def is_stuck(summary: Summary, now: datetime) -> bool:
    """A summary in progress shows no sign of life. Until it is completed, `milliseconds` is when the last one came."""
    return summary.created_at + timedelta(milliseconds=summary.milliseconds or 0) <= now - STUCK_AFTER


def to_utterance(message: Message) -> Utterance:
    speaker = message.name or message.role
    return Utterance(
        message.id, message.seq, message.role, speaker, message.text, message.created_at, message.model, message.tokens
    )

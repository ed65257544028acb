"""How a summary comes to be: written down as begun, made, written down as ended. A late answer changes nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recollect.distill.author import Assignment, Author
from recollect.distill.due import Range
from recollect.distill.hearers import heard_by
from recollect.distill.prompts.summary import Since
from recollect.distill.sayings import spoken
from recollect.errors import NotFound
from recollect.models import Message, Summary, SummaryKind
from recollect.ports import Clock, Store
from recollect.records import Utterance
from recollect.settings import Settings

STUCK = timedelta(minutes=5)  # what is not made by then is made by someone else
IMPORTANCE = 0.7
PAGE = 500

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """A summary to make. `alone`: not while another of its kind is made of the same messages."""

    space: str
    conversation: str
    kind: SummaryKind
    range: Range
    base: Summary | None = None
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Making:
    store: Store
    author: Author
    settings: Callable[[str], Settings]
    clock: Clock
    make_id: Callable[[datetime], str]

    def make(self, plan: Plan) -> Summary | None:
        """The summary; None where it was taken over or withdrawn meanwhile. ConflictError where somebody else is
        making it, NotFound where there is nothing to sum up."""
        begun = self._begin(plan)
        try:
            made = self._write(plan, begun)
        except Exception as exc:
            self._end(replace(begun, status="failed", error=type(exc).__name__))
            raise
        return made if self._end(made) else None

    def _begin(self, plan: Plan) -> Summary:
        """What is said is read only after it is written down what the summary is made from: a message that goes
        meanwhile takes the summary with it."""
        now = self.clock()
        span, base = plan.range, plan.base
        count = len(self.messages(plan.space, plan.conversation, span))
        if not count:
            raise NotFound(f"conversation {plan.conversation!r} has no messages from {span.first} to {span.last}")
        begun = Summary(
            self.make_id(now), plan.space, plan.conversation, plan.kind, span.first, span.last, count, "", (),
            IMPORTANCE, None if base is None else base.id, "processing", None, None, 0, None, None, now,
        )  # fmt: skip
        self.store.summaries.begin(begun, now - STUCK if plan.alone else None)
        return begun

    def _write(self, plan: Plan, begun: Summary) -> Summary:
        begin = time.perf_counter()
        written = self.author.write(self._assignment(plan))
        taken = (time.perf_counter() - begin) * 1000
        return replace(
            begun,
            status="completed",
            text=written.text,
            topics=written.topics,
            tokens=written.tokens,
            method=written.method,
            model=written.model,
            error=written.error,
            milliseconds=taken,
        )

    def _assignment(self, plan: Plan) -> Assignment:
        messages = self.messages(plan.space, plan.conversation, plan.range)
        heard = spoken([utterance(one) for one in messages])
        base = plan.base
        since = None if base is None else Since(base.text, plan.range.first)
        new = heard if base is None else tuple(one for one in heard if one.seq > base.last_seq)
        masked = self.settings(plan.space).flag("mask_sent")
        return Assignment(plan.space, heard, new, since, self._model(plan, messages), masked)

    def _model(self, plan: Plan, messages: Sequence[Message]) -> str | None:
        """The model that these messages were said to. Where they, or what the summary goes on from, were said to a
        local one in part, it is that one: its words go nowhere else."""
        thinkers = self.author.thinkers
        own = thinkers.careful(heard_by(self.store, plan.space, plan.conversation, messages))
        if plan.base is None or thinkers.stays(own):
            return own
        return thinkers.careful([own, *self._behind(plan.base)])

    def _behind(self, base: Summary) -> Sequence[str | None]:
        """The models that what a summary tells of was said to, as far as they may be local: what a model far away has
        written was nobody's secret, and what none has written tells of its own messages only."""
        if base.model is None:
            messages = self.messages(base.space, base.conversation, Range(base.first_seq, base.last_seq))
            return heard_by(self.store, base.space, base.conversation, messages)
        if not self.author.thinkers.models.local(base.model):
            return []
        return self.store.messages.models(base.space, base.conversation, base.last_seq)

    def messages(self, space: str, conversation: str, span: Range) -> list[Message]:
        found: list[Message] = []
        after = span.first - 1
        while after < span.last:
            page = self.store.messages.page(space, conversation, min(PAGE, span.last - after), after, None)
            found += [one for one in page if one.seq <= span.last]
            if not page:
                break
            after = page[-1].seq
        return found

    def _end(self, summary: Summary) -> bool:
        ended = self.store.summaries.end(summary)
        about = {
            "kind": summary.kind,
            "space": summary.space,
            "conversation": summary.conversation,
            "first_seq": summary.first_seq,
            "last_seq": summary.last_seq,
            "status": summary.status,
            "method": summary.method,
            "milliseconds": summary.milliseconds,
        }
        if not ended:
            log.info("summary came too late", extra={"action": "summary_void", **about})
        elif summary.status == "failed":
            log.warning("summary failed", extra={"action": "summary_failed", **about})
        else:
            log.info("messages summarised", extra={"action": "summarised", **about})
        log.debug("summary status updated", extra={"action": "summary_status", "id": summary.id, **about})
        return ended


def utterance(message: Message) -> Utterance:
    speaker = message.name or message.role
    return Utterance(
        message.id, message.seq, message.role, speaker, message.text, message.created_at, message.model, message.tokens
    )

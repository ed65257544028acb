"""The rolling summary: what the last messages said, going on from the summary before."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from recollect.distill import due
from recollect.distill.making import STUCK, Making, Plan
from recollect.errors import ConflictError, NotFound
from recollect.models import Job, Outcome, Window

JOB = "rolling"
TAIL = 4 * due.ROLLING_WINDOW  # messages in which the last answer is looked for: tools may speak long
HISTORY = 20

log = logging.getLogger(__name__)


class Rolling:
    """`look` after messages came in, `run` in the background."""

    def __init__(self, making: Making) -> None:
        self._making = making
        self._store = making.store

    def look(self, space: str, conversation: str) -> None:
        """Queues the work where there is a new answer."""
        if self._making.settings(space).word("summaries") == "rolling" and self.plan(space, conversation) is not None:
            self._store.jobs.queue(JOB, space, conversation, self._making.clock())

    def plan(self, space: str, conversation: str) -> Plan | None:
        """The next rolling summary; None while there is no new answer."""
        base = self._store.summaries.latest(space, conversation, "rolling")
        tail = self._store.messages.recent(space, conversation, TAIL, 0)
        span = due.rolling(tail, None if base is None else base.last_seq)
        return None if span is None else Plan(space, conversation, "rolling", span, base)

    def run(self, jobs: Sequence[Job]) -> Outcome:
        """Makes one at a time: never two of a conversation at once, whoever asks."""
        (job,) = jobs
        if job.space is None or job.conversation is None:
            return "done"
        plan = self.plan(job.space, job.conversation)
        about = {"space": job.space, "conversation": job.conversation}
        if plan is None:
            log.debug("no new messages to summarise", extra={"action": "summary_skipped", "kind": "rolling", **about})
            return "done"
        if plan.range.first:
            dropped = {"action": "window_slid", "dropped_up_to": plan.range.first - 1, **about}
            log.info("messages dropped from the window", extra=dropped)
        try:
            self._making.make(plan)
        except ConflictError as exc:
            log.debug("summary in the making elsewhere", extra={"action": "summary_skipped", "id": exc.id, **about})
            self._store.jobs.again([job], self._making.clock() + STUCK)
            return "ended"
        except NotFound:  # the conversation was deleted
            return "done"
        return "more"

    def window(self, space: str, conversation: str) -> Window:
        """How far it has come, and how long it took."""
        newest = self._store.messages.recent(space, conversation, 1, 0)
        seq = newest[0].seq if newest else None
        latest = self._store.summaries.latest(space, conversation, "rolling")
        history = self._store.summaries.list(space, conversation, "rolling", None, HISTORY)
        making = next(iter(self._store.summaries.list(space, conversation, "rolling", "processing", 1)), None)
        reach = -1 if latest is None else latest.last_seq
        return Window(
            size=due.ROLLING_WINDOW,
            newest_seq=seq,
            latest=latest,
            behind=0 if seq is None else max(0, seq - reach),
            making=making,
            stuck=making is not None and making.created_at <= self._making.clock() - STUCK,
            timings=self._store.summaries.timings(space, conversation, "rolling"),
            history=tuple(history),
        )

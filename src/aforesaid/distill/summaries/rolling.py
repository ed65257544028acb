"""The rolling summary: updates the previous summary with the newest messages."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from aforesaid.distill.summaries import due
from aforesaid.distill.summaries.summary_job import SummaryJob, SummaryPlan, is_stuck
from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.summary import RollingSummaryState

JOB = "rolling"
TAIL = 4 * due.ROLLING_WINDOW  # messages in which the last answer is searched; tool results may be many
HISTORY = 20  # summaries

log = logging.getLogger(__name__)


class RollingSummaries:
    """`queue` adds the job after new messages, `run` executes it."""

    def __init__(self, summary_job: SummaryJob) -> None:
        self._summary_job = summary_job
        self._store = summary_job.store

    def queue(self, space: str, conversation: str) -> None:
        """Adds the job if there is a new answer."""
        rolling = self._summary_job.settings(space).word("summaries") == "rolling"
        if rolling and self.plan(space, conversation) is not None:
            self._store.jobs.queue(JOB, space, conversation, self._summary_job.clock())

    def plan(self, space: str, conversation: str) -> SummaryPlan | None:
        """The next rolling summary; None if there is no new answer."""
        base = self._store.summaries.latest(space, conversation, "rolling")
        tail = self._store.messages.recent(space, conversation, TAIL, 0)
        span = due.next_rolling(tail, None if base is None else base.last_seq)
        return None if span is None else SummaryPlan(space, conversation, "rolling", span, base)

    def run(self, jobs: Sequence[Job]) -> JobOutcome:
        """Creates one summary. A conversation never has two in progress, in any process."""
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
            self._summary_job.make(replace(plan, again=job.attempts > 1))
        except ConflictError as exc:
            return self._summary_job.postpone(job, exc)
        except NotFound:  # the conversation was deleted
            return "done"
        return "more"

    def window(self, space: str, conversation: str) -> RollingSummaryState:
        """The state of the rolling summary, with timings."""
        newest = self._store.messages.recent(space, conversation, 1, 0)
        seq = newest[0].seq if newest else None
        latest = self._store.summaries.latest(space, conversation, "rolling")
        history = self._store.summaries.list(space, conversation, "rolling", None, HISTORY)
        making = next(iter(self._store.summaries.list(space, conversation, "rolling", "processing", 1)), None)
        reach = -1 if latest is None else latest.last_seq
        return RollingSummaryState(
            size=due.ROLLING_WINDOW,
            newest_seq=seq,
            latest=latest,
            behind=0 if seq is None else max(0, seq - reach),
            making=making,
            stuck=making is not None and is_stuck(making, self._summary_job.clock()),
            timings=self._store.summaries.timings(space, conversation, "rolling"),
            history=tuple(history),
        )

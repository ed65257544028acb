"""Segments: a conversation summed up stretch by stretch."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from recollect.distill import due
from recollect.distill.due import Range
from recollect.distill.making import STUCK, Making, Plan
from recollect.distill.merge import Merging
from recollect.errors import ConflictError, NotFound
from recollect.models import Job, Outcome, Summary

JOB = "segment"
BATCH = 20  # segments that are made in a row where no model is asked

log = logging.getLogger(__name__)


class Segments:
    """`look` after messages came in, `run` in the background, `summarise` on demand."""

    def __init__(self, making: Making, merging: Merging) -> None:
        self._making = making
        self._merging = merging
        self._store = making.store

    def look(self, space: str, conversation: str) -> None:
        """Queues the work where a segment is due."""
        if self.due(space, conversation, self._rule(space)) is not None:
            self._store.jobs.queue(JOB, space, conversation, self._making.clock())

    def due(self, space: str, conversation: str, rule: str) -> Range | None:
        """The next segment by a recipe's rule; None while there is none."""
        frequency = self._making.settings(space).whole("summary_frequency")
        needed = due.needed(rule, frequency)
        if not needed:
            return None
        end = self._reached(space, conversation)
        heard = self._store.messages.page(space, conversation, needed, end, None)
        return due.segment(rule, end, heard, frequency)

    def run(self, jobs: Sequence[Job]) -> Outcome:
        """Makes what is due, the oldest first. Once a model was asked, other conversations have their turn."""
        (job,) = jobs
        if job.space is None or job.conversation is None:
            return "done"
        for _ in range(BATCH):
            try:
                made = self._next(job.space, job.conversation)
            except ConflictError as exc:
                return self._later(job, exc.id)
            except NotFound:  # the conversation was deleted
                return "done"
            if made is None:
                self._merging.merge(job.space, job.conversation, self._rule(job.space))
                return "done"
            if made.model or made.error:
                return "more"
        return "more"

    def summarise(self, space: str, conversation: str, first: int | None, last: int | None) -> Summary:
        """Sums up any range, now and in this thread. Without an end: from where the segments end, to the newest."""
        newest = self._store.messages.recent(space, conversation, 1, 0)
        begin = self._reached(space, conversation) + 1 if first is None else first
        end = min(newest[0].seq if last is None else last, newest[0].seq) if newest else -1
        if begin > end:
            raise NotFound(
                f"conversation {conversation!r} has no messages from {begin} on that are to be summed up; "
                "name a range with first and last"
            )
        made = self._making.make(Plan(space, conversation, "segment", Range(begin, end), alone=False))
        if made is None:
            raise NotFound(f"conversation {conversation!r}, or what was to be summed up, was deleted meanwhile")
        return made

    def _next(self, space: str, conversation: str) -> Summary | None:
        seen = self._store.spaces.revision(space)
        span = self.due(space, conversation, self._rule(space))
        if span is None or seen is None:
            return None
        if span.first:
            self._store.progress.advance(space, conversation, JOB, span.first - 1, seen)
        return self._making.make(Plan(space, conversation, "segment", span))

    def _reached(self, space: str, conversation: str) -> int:
        """How far the segments reach. What is known already is not looked at again."""
        known = self._store.progress.reached(space, conversation, JOB)
        ranges = self._store.summaries.ranges(space, conversation, known)
        return due.reached([Range(*span) for span in ranges], known)

    def _rule(self, space: str) -> str:
        return self._making.settings(space).word("summaries")

    def _later(self, job: Job, id: str) -> Outcome:
        """Somebody else is at it: the job comes back when that one is stuck, if it is not done by then."""
        log.debug("summary in the making elsewhere", extra={"action": "summary_skipped", "kind": "segment", "id": id})
        self._store.jobs.again([job], self._making.clock() + STUCK)
        return "ended"

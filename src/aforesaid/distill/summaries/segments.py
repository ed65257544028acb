"""Segment summaries of a conversation, and the merging of the oldest segments into one."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import regex

from aforesaid.distill.summaries import due
from aforesaid.distill.summaries.due import MERGED, MOST_CHUNKS, SeqRange
from aforesaid.distill.summaries.extractive import MOST_TOKENS
from aforesaid.distill.summaries.summary_job import SummaryJob, SummaryPlan
from aforesaid.distill.summaries.topics import MOST_TOPICS
from aforesaid.distill.truncate import CountTokens, truncate
from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.summary import Summary
from aforesaid.ports import Clock, Tokenizer
from aforesaid.storage.repositories.conversations import NOTHING_READ
from aforesaid.storage.store import Store
from aforesaid.text.normalize import fold

JOB = "segment"
IDLE = timedelta(days=1)  # without a new message
LOOK_EVERY = timedelta(hours=1)  # for idle conversations
BATCH = 20  # segments created in one job without a model

log = logging.getLogger(__name__)


class SegmentSummaries:
    """`queue` adds the job after new messages, `run` executes it, `summarise` works on demand."""

    def __init__(self, summary_job: SummaryJob, merger: ChunkMerger) -> None:
        self._summary_job = summary_job
        self._merger = merger
        self._store = summary_job.store
        self._looked_at: datetime | None = None

    def queue(self, space: str, conversation: str) -> None:
        """Adds the job if a segment is due."""
        if self.due(space, conversation, self._rule(space)) is not None:
            self._store.jobs.queue(JOB, space, conversation, self._summary_job.clock())

    def due(self, space: str, conversation: str, rule: str) -> SeqRange | None:
        """The next segment by a recipe's rule, or the rest of a conversation that has ended or is idle; None if none is
        due."""
        frequency = self._summary_job.settings(space).whole("summary_frequency")
        needed = due.messages_needed(rule, frequency)
        if not needed:
            return None
        end = self._reached(space, conversation)
        messages = self._store.messages.page(space, conversation, needed, end, None)
        span = due.next_segment(rule, end, messages, frequency)
        rest = due.remainder(end, messages) if span is None else None
        return rest if rest is not None and self._is_over(space, conversation) else span

    def queue_idle(self) -> None:
        """Adds the job for conversations that became idle, at most once an hour."""
        now = self._summary_job.clock()
        if self._looked_at is None or abs(now - self._looked_at) >= LOOK_EVERY:
            self._looked_at = now
            self._store.jobs.queue_idle(JOB, now, IDLE)

    def run(self, jobs: Sequence[Job]) -> JobOutcome:
        """Creates the due segments, the oldest first. After a model call, other conversations get their turn."""
        (job,) = jobs
        if job.space is None or job.conversation is None:
            return "done"
        for _ in range(BATCH):
            try:
                summary = self._next(job.space, job.conversation, again=job.attempts > 1)
            except ConflictError as exc:
                return self._summary_job.postpone(job, exc)
            except NotFound:  # the conversation was deleted
                return "done"
            if summary is None:
                self._merger.merge(job.space, job.conversation, self._rule(job.space))
                return "done"
            if summary.model or summary.error:
                break
        return "more"

    def summarise(self, space: str, conversation: str, first: int | None, last: int | None) -> Summary:
        """Summarises any range in this thread. The default is from the end of the segments to the newest message."""
        newest = self._store.messages.recent(space, conversation, 1, 0)
        begin = self._reached(space, conversation) + 1 if first is None else first
        end = min(newest[0].seq if last is None else last, newest[0].seq) if newest else -1
        if begin > end:
            advice = "name a range with first and last"
            raise NotFound(f"conversation {conversation!r} has no messages from {begin} on to summarise; {advice}")
        plan = SummaryPlan(space, conversation, "segment", SeqRange(begin, end), alone=False)
        summary = self._summary_job.make(plan)
        if summary is None:
            raise NotFound(f"conversation {conversation!r}, or a message to summarise, was deleted meanwhile")
        return summary

    def _next(self, space: str, conversation: str, *, again: bool) -> Summary | None:
        seen = self._store.spaces.revision(space)
        span = self.due(space, conversation, self._rule(space))
        if span is None or seen is None:
            return None
        if span.first:
            self._store.progress.advance(space, conversation, JOB, span.first - 1, seen)
        return self._summary_job.make(SummaryPlan(space, conversation, "segment", span, again=again))

    def _is_over(self, space: str, conversation: str) -> bool:
        """Returns True if a conversation has ended, or has had no new message for a day."""
        info = self._store.conversations.get(space, conversation)
        return info is not None and (info.status == "ended" or info.updated_at <= self._summary_job.clock() - IDLE)

    def _reached(self, space: str, conversation: str) -> int:
        """The last seq that the segments cover. Reads only segments after the stored progress."""
        known = self._store.progress.all(space, conversation).get(JOB, NOTHING_READ)
        ranges = self._store.summaries.ranges(space, conversation, known)
        return due.covered_until([SeqRange(*span) for span in ranges], known)

    def _rule(self, space: str) -> str:
        return self._summary_job.settings(space).word("summaries")


READ_CHUNKS = 1_000  # chunks

_TOPICS = regex.compile(r"^Topics: [^\n]*+\n?")


@dataclass(frozen=True, slots=True)
class ChunkMerger:
    """Bounds the number of chunks of the recipe `project`. Merged chunks stay stored."""

    store: Store
    tokenizer: Tokenizer
    clock: Clock
    make_id: Callable[[datetime], str]

    def merge(self, space: str, conversation: str, rule: str) -> None:
        """Merges the oldest chunks while there are too many."""
        while rule == "project":
            standing = self.store.summaries.standing(space, conversation, "segment", "completed", READ_CHUNKS)
            chunks = [chunk for chunk in standing if chunk.conversation == conversation]  # not those that are shared
            if len(chunks) <= MOST_CHUNKS:
                return
            oldest = oldest_alike(chunks)
            if not self.store.summaries.merge(self._merged(oldest), [chunk.id for chunk in oldest]):
                return  # one of them was deleted; the next job tries again
            log.info("summaries merged", extra={"action": "summaries_merged", "count": len(oldest)})

    def _merged(self, parts: Sequence[Summary]) -> Summary:
        now, first = self.clock(), parts[0]
        text, topics = combine(parts, self.tokenizer.count)
        return Summary(
            self.make_id(now), first.space, first.conversation, "segment",
            min(part.first_seq for part in parts), max(part.last_seq for part in parts),
            sum(part.message_count for part in parts), text, topics, max(part.importance for part in parts), None,
            "completed", "extractive", None, self.tokenizer.count(text), None, None, now,
        )  # fmt: skip


def combine(parts: Sequence[Summary], count: CountTokens) -> tuple[str, tuple[str, ...]]:
    """The beginnings of the summaries, in order and within 200 tokens, and their most frequent topics."""
    topics = shared_topics(parts)
    head = f"Topics: {', '.join(topics)}" if topics else ""
    share = (MOST_TOKENS - count(head)) // len(parts) - 1  # a line each
    texts = (truncate(_TOPICS.sub("", part.text), count, share) for part in parts)
    return truncate("\n".join(line for line in (head, *texts) if line), count, MOST_TOKENS), topics


def oldest_alike(chunks: Sequence[Summary]) -> Sequence[Summary]:
    """The oldest consecutive chunks of about the same size, so that all are condensed equally; else the oldest ones."""
    for begin in range(len(chunks) - MERGED + 1):
        row = chunks[begin : begin + MERGED]
        sizes = [chunk.message_count for chunk in row]
        if max(sizes) <= 2 * min(sizes):
            return row
    return chunks[:MERGED]


def shared_topics(parts: Sequence[Summary]) -> tuple[str, ...]:
    topics = [topic for part in parts for topic in part.topics]
    spelling = {fold(topic): topic for topic in reversed(topics)}  # the first one
    return tuple(spelling[key] for key, _ in Counter(map(fold, topics)).most_common(MOST_TOPICS))

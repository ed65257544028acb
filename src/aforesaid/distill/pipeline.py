"""The `distill` job: runs the extraction steps on a conversation after new messages. Each reads every message once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.message import Utterance
from aforesaid.models.space import SpaceRevision
from aforesaid.storage.repositories.conversations import Conversations
from aforesaid.storage.store import Store

BATCH_SIZE = 25  # messages; other calls of the process may wait while one batch is worked on

Step = Callable[[str, str], None]  # takes a space and a conversation; runs now or queues a job
Pause = Callable[[], None]  # called between two parts of the work
Handler = Callable[[Sequence[Job]], JobOutcome]


@dataclass(frozen=True, slots=True)
class UtteranceBatch:
    """Consecutive messages, at least one. Results are discarded if the space's revision is no longer `seen`."""

    messages: Sequence[Utterance]
    seen: SpaceRevision


def no_pause() -> None:
    """For work that nobody else waits for."""


def unread_batches(
    store: Store, step: str, space: str, conversation: str, pause: Pause = no_pause
) -> Iterator[UtteranceBatch]:
    """The messages after the last one that `step` has read. A batch counts as read when the next one is requested. It
    is read again if one of its messages was deleted or changed meanwhile. Calls `pause` before each batch."""
    while True:
        pause()
        seen = store.spaces.revision(space)
        reached = store.progress.reached(space, conversation, step)
        messages = store.messages.utterances(space, conversation, reached, BATCH_SIZE)
        if not messages or seen is None:
            return
        yield UtteranceBatch(messages, seen)
        store.progress.advance(space, conversation, step, messages[-1].seq, seen)


def distill_handler(steps: Sequence[Step]) -> Handler:
    """The handler of the job `distill`: runs the steps in order."""

    def distill(jobs: Sequence[Job]) -> JobOutcome:
        for job in jobs:
            if job.space is not None and job.conversation is not None:  # None: deleted since
                for step in steps:
                    step(job.space, job.conversation)
        return "done"

    return distill


def skip_muted(conversations: Conversations, handler: Handler) -> Handler:
    """The handler without the jobs of muted conversations. These are queued again when the conversation is unmuted."""

    def muted(job: Job) -> bool:
        if job.space is None or job.conversation is None:
            return False
        info = conversations.get(job.space, job.conversation)
        return info is not None and info.muted

    def run(jobs: Sequence[Job]) -> JobOutcome:
        audible = [job for job in jobs if not muted(job)]
        return handler(audible) if audible else "done"

    return run

"""What was said in a muted conversation is left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.models import Job, Outcome
from recollect.ports import Conversations

Handler = Callable[[Sequence[Job]], Outcome]


class Unmuted:
    """Keeps a handler's work from muted conversations. It is queued again when they are unmuted."""

    def __init__(self, conversations: Conversations, handler: Handler) -> None:
        self._conversations = conversations
        self._handler = handler

    def run(self, jobs: Sequence[Job]) -> Outcome:
        heard = [job for job in jobs if not self._muted(job)]
        return self._handler(heard) if heard else "done"

    def _muted(self, job: Job) -> bool:
        if job.space is None or job.conversation is None:
            return False
        info = self._conversations.get(job.space, job.conversation)
        return info is not None and info.muted

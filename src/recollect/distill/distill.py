"""What is done with a conversation after messages came in: every step reads what it has not read yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.models import Job, Outcome

Step = Callable[[str, str], None]  # a space and a conversation in it


class Distilling:
    """The job `distill`. A step does its work at once where that is quick, or queues a job of its own."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def distill(self, jobs: Sequence[Job]) -> Outcome:
        for job in jobs:
            if job.space is not None and job.conversation is not None:  # None: deleted since
                for step in self._steps:
                    step(job.space, job.conversation)
        return "done"

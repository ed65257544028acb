"""Indexes messages that could not be indexed when they came in, in the background."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.models import Job, Outcome
from recollect.ports import Lexical


class Indexing:
    """The job `index`."""

    def __init__(self, lexical: Lexical) -> None:
        self._lexical = lexical

    def index(self, jobs: Sequence[Job]) -> Outcome:
        self._lexical.index(jobs)
        return "done"

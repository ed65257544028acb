"""Reads what messages say about time, in the background, each seen from the moment it was said."""

from __future__ import annotations

import time
from collections.abc import Sequence

from recollect.models import Job, Outcome
from recollect.ports import Clock, Mentions
from recollect.text.times import mentioned


class Timing:
    """The job `times`."""

    def __init__(self, mentions: Mentions, clock: Clock) -> None:
        self._mentions = mentions
        self._clock = clock

    def times(self, jobs: Sequence[Job]) -> Outcome:
        """Resolves what the messages of these jobs say and ends the jobs in the same transaction."""
        begin = time.perf_counter()
        whens = {spoken.message: mentioned(spoken.text, spoken.at) for spoken in self._mentions.texts(jobs)}
        self._mentions.put(whens, jobs, (time.perf_counter() - begin) * 1000, self._clock())
        return "ended"

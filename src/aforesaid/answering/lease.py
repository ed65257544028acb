"""The lease of an answer that is being written, so that nobody else answers the same message meanwhile."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta
from typing import Protocol
from weakref import ref

from aforesaid.errors import AforesaidError, ClosedError
from aforesaid.models.answer import AnswerClaim
from aforesaid.ports import Clock
from aforesaid.storage.repositories.running_answers import RunningAnswers

LEASE = timedelta(seconds=20)  # after this, a message can be asked again whose answer a dead process was writing
TICK_SECONDS = 0.5  # until a request to stop is noticed
TICKS_PER_RENEWAL = 10


class LeasedAnswer(Protocol):
    @property
    def retries(self) -> int: ...

    def stop(self, *, keep: bool = False) -> None: ...


class AnswerLease:
    """The claim of one answer, until `release`, or until the answer is no longer used."""

    def __init__(self, answers: RunningAnswers, claim: AnswerClaim, clock: Clock) -> None:
        """Raises ConflictError if somebody else answers this message."""
        self._answers = answers
        self._claim = claim
        self._clock = clock
        self._released = threading.Event()
        now = clock()
        answers.claim(claim, now, now + LEASE)

    def follow(self, answer: LeasedAnswer) -> None:
        """Renews the lease while the answer is written, and stops the answer when somebody asks for it."""
        threading.Thread(target=self._follow, args=(ref(answer),), name="aforesaid-lease", daemon=True).start()

    def release(self) -> None:
        """Ends the lease. If the store fails, the lease ends by itself later."""
        if not self._released.is_set():
            self._released.set()
            with suppress(AforesaidError):
                self._answers.release(self._claim)

    def _follow(self, answer: ref[LeasedAnswer]) -> None:
        ticks = reported = 0
        while not self._released.wait(TICK_SECONDS):
            ticks += 1
            try:
                retries = self._check(answer)
                if retries is None:
                    return
                if retries != reported or ticks % TICKS_PER_RENEWAL == 0:
                    self._answers.renew(self._claim, self._clock() + LEASE, retries)
                    reported = retries
            except ClosedError:
                return
            except AforesaidError:  # a store that is busy now
                continue

    def _check(self, reference: ref[LeasedAnswer]) -> int | None:
        """Stops the answer if it must stop. Returns its number of retries; None if there is nothing left to follow."""
        answer, stopping = reference(), self._answers.is_stopping(self._claim)
        if answer is None:
            self.release()
            return None
        if stopping is None:  # somebody else answers, or the message was forgotten
            answer.stop()
            return None
        if stopping:
            answer.stop(keep=True)
        return answer.retries

"""How a model reads a conversation: a stretch at a time, by whoever thinks for it, in a job of the slow lane."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Protocol

from recollect.distill.hearers import heard_by
from recollect.distill.rest import Rest
from recollect.distill.think import Thinker
from recollect.distill.thinkers import Thinkers
from recollect.errors import CapReached, ProviderError, ProviderRefused, told
from recollect.models import Job, Outcome
from recollect.ports import Clock, Store
from recollect.records import Revision, Utterance
from recollect.settings import Settings

EVERY = 10  # user messages; fewer when the conversation rests
READ = 60  # messages looked at for a stretch
NOTED = 300  # characters of an error that its job keeps
LONGEST = 24_000  # characters of a stretch: small models have small windows

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Heard:
    """Messages in a row, never none, for a model to read. What is made of them is to be refused where the space is not
    as `seen`."""

    space: str
    conversation: str
    said: Sequence[Utterance]
    seen: Revision
    settings: Settings


class Reader(Protocol):
    """What is made of a stretch."""

    @property
    def step(self) -> str:
        """The kind of its job, under which is kept how far it has read."""

    @property
    def setting(self) -> str:
        """The flag that turns it off."""

    def read(self, thinker: Thinker, heard: Heard) -> None:
        """ProviderError where the model gives nothing that can be used."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is to be read next, by whoever thinks for `own`. `left`: the conversation has gone on with a model that
    somebody else thinks for."""

    said: Sequence[Utterance]
    own: str | None
    left: bool

    def due(self, *, rests: bool) -> bool:
        return self.left or users(self.said) >= (1 if rests else EVERY) or full(self.said)


@dataclass(frozen=True, slots=True)
class Study:
    """The step `queue` asks for the reader's job where a model is to be had and enough was said; `run` does it."""

    store: Store
    thinkers: Thinkers
    settings: Callable[[str], Settings]
    clock: Clock
    reader: Reader
    rest: Rest = field(default_factory=Rest)

    def queue(self, space: str, conversation: str) -> None:
        own, rests = self._stands(space, conversation)
        if self.thinkers.name(own) is None or not self.settings(space).flag(self.reader.setting):
            return
        if self._next(space, conversation).due(rests=rests):
            self.store.jobs.queue(self.reader.step, space, conversation, self.clock())

    def run(self, jobs: Sequence[Job]) -> Outcome:
        """A job that the model cannot do now is over, with the reason: the next message asks for another."""
        outcomes: list[Outcome] = []
        for job in jobs:
            if job.space is None or job.conversation is None:  # deleted since
                continue
            try:
                outcomes.append(self._stretch(job.space, job.conversation))
            except ProviderError as exc:
                self.store.jobs.finish([job], 0, self.clock(), str(exc)[:NOTED])
        return "more" if "more" in outcomes else "done"

    def _stretch(self, space: str, conversation: str) -> Outcome:
        """One stretch. What the model refuses is left to the patterns; what it cannot read now, it reads with what is
        said next (ProviderError): nobody waits for it, and least of all for one that the conversation has left."""
        settings = self.settings(space)
        seen = self.store.spaces.revision(space)
        part = self._next(space, conversation)
        rests = self._stands(space, conversation)[1]
        if not part.due(rests=rests) or seen is None or not settings.flag(self.reader.setting):
            return "done"
        try:
            thinker = self.thinkers.of(part.own, masked=settings.flag("mask_sent"))
            if thinker is None and not part.left:
                return "done"
            if thinker is not None and users(part.said):
                self._read(thinker, Heard(space, conversation, part.said, seen, settings), rests=rests)
        except ProviderError as exc:
            step, said = self.reader.step, told(exc)
            log.warning("not read: %s, %s", step, said, extra={"action": "not_read", "step": step, "error": said})
            if isinstance(exc, CapReached) or not (part.left or refused(exc)):
                raise
        self.store.progress.advance(space, conversation, self.reader.step, part.said[-1].seq, seen)
        return "more"

    def _read(self, thinker: Thinker, heard: Heard, *, rests: bool) -> None:
        """Asks, but not at once again a model that turned everything away, unless this may be the last to be said."""
        if not rests:
            self.rest.check(thinker.name, self.clock())
        try:
            self.reader.read(thinker, heard)
        except ProviderRefused as exc:
            if exc.mendable:
                self.rest.begin(thinker.name, str(exc), self.clock())
            raise
        self.rest.end(thinker.name)

    def _next(self, space: str, conversation: str) -> Part:
        reached = self.store.progress.reached(space, conversation, self.reader.step)
        unread = self.store.messages.utterances(space, conversation, reached, READ)
        heard = heard_by(self.store, space, conversation, unread)
        alike = sum(1 for _ in takewhile(lambda own: self.thinkers.name(own) == self.thinkers.name(heard[0]), heard))
        return Part(stretch(unread[:alike]), heard[0] if heard else None, alike < len(unread))

    def _stands(self, space: str, conversation: str) -> tuple[str | None, bool]:
        """The model that the conversation is held with, and whether nobody is speaking in it."""
        info = self.store.conversations.get(space, conversation)
        return (None, False) if info is None else (info.model, info.status != "active")


def refused(error: ProviderError) -> bool:
    """Whether a model will not read just this."""
    return isinstance(error, ProviderRefused) and not error.mendable


def users(utterances: Sequence[Utterance]) -> int:
    return sum(utterance.role == "user" for utterance in utterances)


def full(utterances: Sequence[Utterance]) -> bool:
    """Whether so much was said that it must be read now, however few have said it."""
    return bool(users(utterances)) and sum(len(utterance.text) for utterance in utterances) >= LONGEST


def stretch(utterances: Sequence[Utterance]) -> list[Utterance]:
    """The first of these messages, up to the tenth of the user or as many as a model can read; at least one."""
    taken: list[Utterance] = []
    length = 0
    for utterance in utterances:
        if taken and (users(taken) >= EVERY or length >= LONGEST):
            break
        taken.append(utterance)
        length += len(utterance.text)
    return taken

"""What may be asked to be forgotten, and the work that goes on until no byte of it is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.errors import InvalidInput, StoreBusy
from recollect.ids import Ids
from recollect.models import Erasure, ErasureTarget, Job, Message, Outcome, Verification
from recollect.ports import Clock, Erasures
from recollect.records import Forget, MessageDraft
from recollect.text import accept


@dataclass(frozen=True, slots=True)
class Wish:
    """What to forget, as the caller gave it: exactly one of these."""

    message: str | None = None
    conversation: str | None = None
    fact: str | None = None
    before: datetime | str | None = None
    everything: bool = False

    def asked(self, erasure: str, at: datetime) -> Forget:
        named: dict[ErasureTarget, str | None] = {
            "message": self.message,
            "conversation": self.conversation,
            "fact": self.fact,
        }
        given = [target for target, id in named.items() if id is not None]
        if len(given) + (self.before is not None) + bool(self.everything) != 1:
            raise InvalidInput("say one thing to forget: a message, a conversation, a fact, before, or everything=True")
        if self.before is not None:
            return Forget("before", erasure, at, before=accept.edge(self.before, "before", begins=True))
        if self.everything:
            return Forget("everything", erasure, at)
        return Forget(given[0], erasure, at, accept.name(named[given[0]] or "", given[0]))


class Forgetting:
    def __init__(self, erasures: Erasures, clock: Clock, ids: Ids) -> None:
        self._erasures = erasures
        self._clock = clock
        self._ids = ids

    def forget(self, space: str, wish: Wish, *, dry_run: bool) -> Erasure:
        now = self._clock()
        asked = wish.asked(self._ids.make(now), now)
        return self._erasures.preview(space, asked) if dry_run else self._erasures.forget(space, asked)

    def edit(self, space: str, draft: MessageDraft, marks: Collection[str]) -> Message:
        """The message with other words; `marks` are of what those may pin."""
        now = self._clock()
        asked = Forget("edit", self._ids.make(now), now, draft.id, marks=tuple(marks))
        return self._erasures.edit(space, draft, asked)

    def done(self, space: str, limit: int) -> Sequence[Erasure]:
        return self._erasures.list(space, accept.count(limit, "limit"))

    def verify(self, text: str, space: str | None) -> Verification:
        inside = None if space is None else accept.name(space, "space")
        if not accept.text(text, "the text").strip():
            raise InvalidInput("the text is empty or only white space; give the words that must be gone")
        return self._erasures.verify(text, inside)

    def scrub(self, jobs: Sequence[Job]) -> Outcome:  # noqa: ARG002 (one job, on the whole store)
        """The job `scrub`: waits, without end, for whoever is in the way."""
        left = self._erasures.scrub()
        if left:
            raise StoreBusy(f"old bytes may be left in: {', '.join(left)}; {'; '.join(left.values())}")
        return "done"

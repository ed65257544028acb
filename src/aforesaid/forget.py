"""Validates requests to forget, runs erasures, and scrubs the deleted bytes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from aforesaid.errors import InvalidInput, NotFound, OnHold, StoreBusy
from aforesaid.ids import Ids
from aforesaid.models.erasure import Erasure, ErasureRequest, ErasureTarget, Verification
from aforesaid.models.job import Job, JobOutcome
from aforesaid.models.message import Message, MessageDraft, MessageRange
from aforesaid.ports import Clock
from aforesaid.storage.repositories.erasures import Erasures, Removal
from aforesaid.storage.repositories.retention import Retention
from aforesaid.text import validate


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """The target of a `forget` call: exactly one of these. A `key` belongs to `items`, `same_words` to a message or a
    fact."""

    message: str | None = None
    conversation: str | None = None
    fact: str | None = None
    items: str | Sequence[str] | None = None
    key: str | None = None
    before: datetime | str | None = None
    everything: bool = False
    same_words: bool = False

    def to_erasure(self, erasure: str, at: datetime) -> ErasureRequest:
        ids: dict[ErasureTarget, str | None] = {
            "message": self.message, "conversation": self.conversation, "fact": self.fact
        }  # fmt: skip
        targets = [target for target, id in ids.items() if id is not None]
        others = (self.items is not None, self.before is not None, bool(self.everything))
        if len(targets) + sum(others) != 1:
            advice = "message, conversation, fact, items, before, or everything=True"
            raise InvalidInput(f"name one thing to forget: {advice}")
        if self.same_words and targets not in (["message"], ["fact"]):
            raise InvalidInput("same_words=True goes with a message or a fact: name one of them")
        if self.items is not None:
            key = None if self.key is None else validate.name(self.key, "key")
            return ErasureRequest("items", erasure, at, key, namespace=validate.namespace(self.items))
        if self.key is not None:
            raise InvalidInput("a key is that of an item: name its namespace too, as items=…")
        if self.before is not None:
            return ErasureRequest("before", erasure, at, before=validate.day_edge(self.before, "before", begins=True))
        if self.everything:
            return ErasureRequest("everything", erasure, at)
        id = validate.name(ids[targets[0]] or "", targets[0])
        return ErasureRequest(targets[0], erasure, at, id, same_words=bool(self.same_words))


EXPIRE_EVERY = timedelta(hours=1)  # a scrub rewrites the files, so expired records are erased together


class Forgetter:
    def __init__(self, erasures: Erasures, clock: Clock, ids: Ids) -> None:
        self._erasures = erasures
        self._clock = clock
        self._ids = ids

    def forget(self, space: str, request: ForgetRequest, *, dry_run: bool) -> Erasure:
        now = self._clock()
        erasure = request.to_erasure(self._ids.make(now), now)
        return self._erasures.preview(space, erasure) if dry_run else self._erasures.forget(space, erasure)

    def edit(self, space: str, draft: MessageDraft, marks: Collection[str]) -> Message:
        """Replaces the text of a message. `marks` are the pin marks of the new text."""
        now = self._clock()
        erasure = ErasureRequest("edit", self._ids.make(now), now, draft.id, marks=tuple(marks))
        return self._erasures.edit(space, draft, erasure)

    def remove(
        self,
        space: str,
        conversation: str,
        messages: MessageRange,
        *,
        drafts: Sequence[MessageDraft] = (),
        expires_at: datetime | None = None,
    ) -> Removal:
        """Erases messages of a conversation, and adds the drafts in the same transaction. The job `scrub` scrubs the
        files later, once for all that was removed until then."""
        now = self._clock()
        erasure = ErasureRequest("message", self._ids.make(now), now)
        return self._erasures.remove(space, conversation, erasure, messages, drafts=drafts, expires_at=expires_at)

    def expire(self, space: str) -> Erasure:
        """Erases some of what has expired in a space. The files are not scrubbed yet."""
        now = self._clock()
        return self._erasures.forget(space, ErasureRequest("expired", self._ids.make(now), now))

    def verify(self, text: str, space: str | None) -> Verification:
        name = None if space is None else validate.name(space, "space")
        if not validate.text(text, "the text").strip():
            raise InvalidInput("the text is empty or only white space; give the erased text")
        return self._erasures.verify(text, name)

    def scrub_now(self) -> None:
        """Scrubs the files as far as this process can now. The job `scrub` does the rest."""
        self._erasures.scrub()

    def scrub(self, jobs: Sequence[Job]) -> JobOutcome:  # noqa: ARG002 (one job, on the whole store)
        """The job `scrub`. Raises StoreBusy, and so is retried without limit, while another process blocks it."""
        left = self._erasures.scrub()
        if left:
            raise StoreBusy(f"old bytes may be left in: {', '.join(left)}; {'; '.join(left.values())}")
        return "done"


class Expiry:
    """Erases what has expired, with a record of the erasure like any other. `before` runs first: it writes what is
    still queued, so that it is erased too."""

    def __init__(self, retention: Retention, forgetter: Forgetter, clock: Clock, before: Callable[[], None]) -> None:
        self._retention = retention
        self._forgetter = forgetter
        self._clock = clock
        self._before = before
        self._queued_at: datetime | None = None

    def queue(self) -> None:
        """Queues the job `expire` if something has expired."""
        self._queued_at = self._clock()
        self._retention.queue()

    def queue_hourly(self) -> None:
        """Like `queue`, at most once an hour."""
        if self._queued_at is None or abs(self._clock() - self._queued_at) >= EXPIRE_EVERY:
            self.queue()

    def run(self, jobs: Sequence[Job]) -> JobOutcome:  # noqa: ARG002 (one job, on the whole store)
        """The job `expire`: erases all that has expired in spaces that are not on hold, then scrubs the files."""
        self._before()
        while (space := self._retention.due()) is not None:
            with suppress(OnHold, NotFound):  # placed on hold, or deleted, since
                self._forgetter.expire(space)
        self._forgetter.scrub_now()
        return "done"

"""Puts what was read into a space: batch by batch, each whole or not at all, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from recollect.errors import ConflictError, InvalidInput, NotFound
from recollect.imports.exported import NO_CONSENT, NO_FACT, REFUSED, Aside, Chat, Found, Said
from recollect.imports.names import digest
from recollect.imports.passages import passages
from recollect.imports.sort import Named, asked_for, sort
from recollect.ingest.append import Circumstances, Drafts, Incoming
from recollect.models import ConversationInfo, Imported, Message
from recollect.ports import Progress, Store
from recollect.records import MessageDraft, Remark

BATCH = 500  # messages in one transaction


@dataclass(frozen=True, slots=True)
class Target:
    """The space that takes an import in, and how. `consent` says whether it may keep a profile; `propose` notes a
    fact for review, and says whether it is new. A `dry_run` writes nothing."""

    store: Store
    drafts: Drafts
    space: str
    given: Circumstances
    consent: bool
    propose: Callable[[Remark], bool]
    dry_run: bool = False


class Putting:
    """Counts as it goes. What is stored is stored: broken off, it is completed by repeating it."""

    def __init__(self, target: Target, progress: Progress, total: int) -> None:
        self._target = target
        self._progress = progress
        self._total = total
        self._done = 0
        self._count: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._conversations: set[str] = set()
        self._formats: dict[str, None] = {}

    def put(self, found: Iterator[Found]) -> Imported:
        for one in found:
            if isinstance(one, Aside):
                self._skipped[one.reason] += one.count
            elif one.kind == "profile" and not self._target.consent:
                self._skipped[NO_CONSENT] += len(one.messages)
                self._tick(len(one.messages))
            else:
                self._chat(one)
        return self._counted()

    def _counted(self) -> Imported:
        number = self._count
        return Imported(
            formats=tuple(self._formats),  # type: ignore[arg-type]
            conversations=len(self._conversations),
            messages=number["new"],
            known=number["known"],
            changed=number["changed"],
            facts=number["facts"],
            skipped=dict(sorted(self._skipped.items())),
        )

    def _chat(self, chat: Chat) -> None:
        self._formats[chat.source] = None
        if not chat.messages:
            return
        self._conversations.add(chat.id)
        at = chat.begun
        said = enumerate(chat.messages, chat.first)
        while batch := list(islice(said, BATCH)):
            named: list[Named] = []
            for place, one in batch:
                at = one.at or at or self._target.given.now
                id = one.id or digest(chat.id, place, one.role, one.content)
                named.append((id, replace(one, at=at)))
            self._batch(chat, named)
            self._tick(len(batch))

    def _batch(self, chat: Chat, batch: Sequence[Named]) -> None:
        target = self._target
        while True:
            stored = target.store.messages.known(target.space, asked_for(chat.id, batch))
            sorting = sort(chat.id, batch, stored, self._draft)
            try:
                if sorting.new and not target.dry_run:
                    self._append(chat, sorting.new)
                break
            except ConflictError:  # somebody has stored one of them since it was looked for
                continue
        self._count.update(new=len(sorting.new), known=len(sorting.known), changed=sorting.changed)
        self._skipped += Counter({REFUSED: sorting.refused})
        if chat.kind != "talk" and not target.dry_run:
            self._note(chat, (*sorting.new, *sorting.known))

    def _draft(self, id: str, said: Said) -> MessageDraft | None:
        calls = said.tool_calls, said.tool_call_id
        incoming = Incoming(said.role, said.content, id, said.name, *calls, None, said.at, None, said.metadata)
        try:
            return self._target.drafts.make(incoming, self._target.given)
        except InvalidInput:
            return None

    def _append(self, chat: Chat, drafts: Sequence[MessageDraft]) -> None:
        """Also makes the conversation; it was last touched when it was last spoken in."""
        target, said = self._target, [draft.created_at for draft in drafts]
        info = target.store.conversations.start(_begun(chat, target, said[0]))
        touched = min(target.given.now, max(info.updated_at, *said))
        target.store.messages.append(target.space, chat.id, drafts, touched)

    def _note(self, chat: Chat, messages: Sequence[Message | MessageDraft]) -> None:
        """Proposes facts, also from what was there: an import may have been broken off before it came to them."""
        for message in messages:
            found = passages(message.text) if chat.kind == "profile" else [(message.text, message.text)]
            for quote, text in found:
                try:
                    self._count["facts"] += self._target.propose(Remark(text, quote, message.id, (chat.source,)))
                except (InvalidInput, NotFound):
                    self._skipped[NO_FACT] += 1

    def _tick(self, messages: int) -> None:
        self._done += messages
        self._progress(self._done, self._total)


def _begun(chat: Chat, target: Target, first: datetime) -> ConversationInfo:
    """The conversation without messages yet, from when it was begun."""
    at = min(chat.begun or first, target.given.now)
    return ConversationInfo(
        chat.id, target.space, "active", chat.title, None, None, 0, 0, 0, at, at, None, dict(chat.metadata)
    )

"""Puts what was read into a space: batch by batch, each whole or not at all, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from recollect.errors import ConflictError, InvalidInput, NotFound
from recollect.imports.exported import NO_CONSENT, NO_FACT, REFUSED, Aside, Chat, Found, Said
from recollect.imports.names import digest
from recollect.imports.passages import passages
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
            drafts = []
            for place, one in batch:
                at = one.at or at or self._target.given.now
                drafts += self._draft(chat.id, place, replace(one, at=at))
            self._store(chat, drafts)
            self._tick(len(batch))

    def _draft(self, conversation: str, place: int, said: Said) -> list[MessageDraft]:
        id = said.id or digest(conversation, place, said.role, said.content)
        calls = said.tool_calls, said.tool_call_id
        incoming = Incoming(said.role, said.content, id, said.name, *calls, None, said.at, None, said.metadata)
        try:
            return [self._target.drafts.make(incoming, self._target.given)]
        except InvalidInput:
            self._skipped[REFUSED] += 1
            return []

    def _store(self, chat: Chat, drafts: Sequence[MessageDraft]) -> None:
        target = self._target
        while True:
            sorting = sorted_out(chat.id, drafts, target.store.messages.known(target.space, _ids(chat.id, drafts)))
            try:
                if sorting.new and not target.dry_run:
                    info = target.store.conversations.start(_begun(chat, target, sorting.new[0].created_at))
                    at = min(target.given.now, max(info.updated_at, *(draft.created_at for draft in sorting.new)))
                    target.store.messages.append(target.space, chat.id, sorting.new, at)
                break
            except ConflictError:  # somebody has stored one of them since it was looked for
                continue
        self._count += Counter(new=len(sorting.new), known=len(sorting.known), changed=sorting.changed)
        if chat.kind != "talk" and not target.dry_run:
            self._note(chat, (*sorting.new, *sorting.known))

    def _note(self, chat: Chat, drafts: Sequence[MessageDraft]) -> None:
        """Proposes facts, also from what was there: an import may have been broken off before it came to them."""
        for draft in drafts:
            found = passages(draft.text) if chat.kind == "profile" else [(draft.text, draft.text)]
            for quote, text in found:
                try:
                    self._count["facts"] += self._target.propose(Remark(text, quote, draft.id, (chat.source,)))
                except (InvalidInput, NotFound):
                    self._skipped[NO_FACT] += 1

    def _tick(self, messages: int) -> None:
        self._done += messages
        self._progress(self._done, self._total)


@dataclass(frozen=True, slots=True)
class Sorting:
    """What a batch brings: new messages, those that are there, and how many are there with other words."""

    new: Sequence[MessageDraft]
    known: Sequence[MessageDraft]
    changed: int


def sorted_out(conversation: str, drafts: Sequence[MessageDraft], stored: Mapping[str, Message]) -> Sorting:
    """Tells what is new by the ids. An id that another conversation of the space has gets another here, always the
    same: a conversation that was branched off carries its messages along."""
    new: dict[str, MessageDraft] = {}
    known: list[MessageDraft] = []
    changed = 0
    for given in drafts:
        other = _other_id(conversation, given.id)
        elsewhere = given.id in stored and stored[given.id].conversation != conversation
        draft = replace(given, id=other) if elsewhere or other in stored else given
        twin = stored.get(draft.id) or new.get(draft.id)
        if twin is None:
            new[draft.id] = draft
        elif _said(twin) == _said(draft):
            known.append(draft)
        else:
            changed += 1
    return Sorting(tuple(new.values()), tuple(known), changed)


def _said(one: Message | MessageDraft) -> tuple[object, ...]:
    return one.role, one.content, one.name, one.tool_calls, one.tool_call_id


def _other_id(conversation: str, id: str) -> str:
    return digest(conversation, id)


def _ids(conversation: str, drafts: Sequence[MessageDraft]) -> list[str]:
    return [id for draft in drafts for id in (draft.id, _other_id(conversation, draft.id))]


def _begun(chat: Chat, target: Target, first: datetime) -> ConversationInfo:
    """The conversation without messages yet, from when it was begun."""
    at = min(chat.begun or first, target.given.now)
    return ConversationInfo(
        chat.id, target.space, "active", chat.title, None, None, 0, 0, 0, at, at, None, dict(chat.metadata)
    )

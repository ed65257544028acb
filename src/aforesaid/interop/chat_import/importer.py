"""Imports an export into a space in batches.

The export is read twice: first to check all of it, then to store it. Repeating an import adds only new messages.

Files are parsed value by value, and their names never become paths. A memory that another program noted is not a
quote of the user, so it becomes a pending fact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path

from aforesaid.errors import ConflictError, InvalidInput, NotFound
from aforesaid.ingest.draft import DraftBuilder, IngestOptions, MessageInput
from aforesaid.interop.chat_import.exported_chat import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
)
from aforesaid.interop.chat_import.parsing import stable_id
from aforesaid.interop.chat_import.read import read_export
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.fact import ImportedMemory
from aforesaid.models.message import Message, MessageDraft
from aforesaid.models.transfer import IMPORT_FORMATS, ImportFormat, ImportReport
from aforesaid.ports import Progress
from aforesaid.storage.store import Store

_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])")
_POINT = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?|__[^_\n]+__:?")


def passages(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs and list items of a text: each as written, and on one line. Headings are left out."""
    for block in _BLOCK.split(text):
        lines = block.strip().split("\n")
        while lines and _HEADING.fullmatch(lines[0].strip()):
            lines = lines[1:]
        words = _POINT.sub("", "\n".join(lines)).strip()
        if any(map(str.isalnum, words)):
            yield words, " ".join(words.split())


IdentifiedMessage = tuple[str, ExportedMessage]  # a message with the id that it comes with
DraftFactory = Callable[[str, ExportedMessage], MessageDraft | None]


@dataclass(frozen=True, slots=True)
class BatchPartition:
    """A batch divided into new messages, stored messages, the number stored with other content, and the number that are
    not valid."""

    new: Sequence[MessageDraft]
    known: Sequence[Message | MessageDraft]
    changed: int
    refused: int


def partition_batch(
    conversation: str, batch: Sequence[IdentifiedMessage], stored: Mapping[str, Message], make: DraftFactory
) -> BatchPartition:
    """Divides a batch. A repeated id counts once. A message that is stored with the same content gets no draft."""
    new: dict[str, MessageDraft] = {}
    known: list[Message | MessageDraft] = []
    changed = refused = 0
    for given, said in batch:
        id = _id_in_space(conversation, given, stored)
        twin = stored.get(id) or new.get(id)
        if twin is not None and _content_key(twin) == _content_key(said):
            known.append(twin)
        elif (made := make(id, said)) is None:
            refused += 1
        elif twin is None:
            new[id] = made
        elif _content_key(twin) == _content_key(made):
            known.append(twin)
        else:
            changed += 1
    return BatchPartition(tuple(new.values()), tuple(known), changed, refused)


def candidate_ids(conversation: str, batch: Sequence[IdentifiedMessage]) -> list[str]:
    """The ids under which the messages of a batch may be stored."""
    return [id for given, _ in batch for id in (given, _conversation_id(conversation, given))]


def _id_in_space(conversation: str, id: str, stored: Mapping[str, Message]) -> str:
    """The id, or a derived one if another conversation of the space has it: a branched conversation repeats the
    messages of the original."""
    other = _conversation_id(conversation, id)
    taken = id in stored and stored[id].conversation != conversation
    return other if taken or other in stored else id


def _conversation_id(conversation: str, id: str) -> str:
    return stable_id(conversation, id)


def _content_key(one: Message | MessageDraft | ExportedMessage) -> tuple[object, ...]:
    return one.role, one.content, one.name, one.tool_calls or None, one.tool_call_id


BATCH = 500  # messages in one transaction


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """The space of an import. `consent`: it may keep a profile. `propose` adds a fact for review, and returns True if
    it is new. A `dry_run` writes nothing."""

    store: Store
    drafts: DraftBuilder
    space: str
    given: IngestOptions
    consent: bool
    propose: Callable[[ImportedMemory], bool]
    dry_run: bool = False


class ChatImporter:
    """Stores chats batch by batch and counts them. Repeating an interrupted import completes it."""

    def __init__(self, target: ImportTarget, progress: Progress, total: int) -> None:
        self._target = target
        self._progress = progress
        self._total = total
        self._done = 0
        self._count: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._conversations: set[str] = set()
        self._formats: dict[str, None] = {}

    def put(self, found: Iterator[ExportItem]) -> ImportReport:
        for one in found:
            if isinstance(one, SkippedItems):
                self._skipped[one.reason] += one.count
            elif one.kind == "profile" and not self._target.consent:
                self._skipped[SkipReason.NO_CONSENT] += len(one.messages)
                self._tick(len(one.messages))
            else:
                self._chat(one)
        return self._counted()

    def _counted(self) -> ImportReport:
        number = self._count
        return ImportReport(
            formats=tuple(self._formats),  # type: ignore[arg-type]
            conversations=len(self._conversations),
            messages=number["new"],
            known=number["known"],
            changed=number["changed"],
            facts=number["facts"],
            skipped=dict(sorted(self._skipped.items())),
        )

    def _chat(self, chat: ExportedChat) -> None:
        self._formats[chat.source] = None
        if not chat.messages:
            return
        self._conversations.add(chat.id)
        at = chat.begun
        said = enumerate(chat.messages, chat.first)
        while batch := list(islice(said, BATCH)):
            named: list[IdentifiedMessage] = []
            for place, one in batch:
                at = one.at or at or self._target.given.now
                id = one.id or stable_id(chat.id, place, one.role, one.content)
                named.append((id, replace(one, at=at)))
            self._batch(chat, named)
            self._tick(len(batch))

    def _batch(self, chat: ExportedChat, batch: Sequence[IdentifiedMessage]) -> None:
        target = self._target
        while True:
            stored = target.store.messages.known(target.space, candidate_ids(chat.id, batch))
            sorting = partition_batch(chat.id, batch, stored, self._draft)
            try:
                if sorting.new and not target.dry_run:
                    self._append(chat, sorting.new)
                break
            except ConflictError:  # another process has stored one of them meanwhile
                continue
        self._count.update(new=len(sorting.new), known=len(sorting.known), changed=sorting.changed)
        self._skipped += Counter({SkipReason.REFUSED: sorting.refused})
        if chat.kind != "talk" and not target.dry_run:
            self._note(chat, (*sorting.new, *sorting.known))

    def _draft(self, id: str, said: ExportedMessage) -> MessageDraft | None:
        calls = said.tool_calls, said.tool_call_id
        incoming = MessageInput(said.role, said.content, id, said.name, *calls, None, said.at, None, said.metadata)
        try:
            return self._target.drafts.make(incoming, self._target.given)
        except InvalidInput:
            return None

    def _append(self, chat: ExportedChat, drafts: Sequence[MessageDraft]) -> None:
        """Also creates the conversation; its last change is the time of its newest message."""
        target, said = self._target, [draft.created_at for draft in drafts]
        info = target.store.conversations.start(_new_conversation(chat, target, said[0]))
        touched = min(target.given.now, max(info.updated_at, *said))
        target.store.messages.append(target.space, chat.id, drafts, touched)

    def _note(self, chat: ExportedChat, messages: Sequence[Message | MessageDraft]) -> None:
        """Proposes facts, also from stored messages: an earlier import may have been interrupted before this step."""
        for message in messages:
            found = passages(message.text) if chat.kind == "profile" else [(message.text, message.text)]
            for quote, text in found:
                try:
                    self._count["facts"] += self._target.propose(
                        ImportedMemory(text, quote, message.id, (chat.source,))
                    )
                except (InvalidInput, NotFound):
                    self._skipped[SkipReason.NO_FACT] += 1

    def _tick(self, messages: int) -> None:
        self._done += messages
        self._progress(self._done, self._total)


def _new_conversation(chat: ExportedChat, target: ImportTarget, first: datetime) -> ConversationInfo:
    """A conversation without messages, with the time of its beginning."""
    at = min(chat.begun or first, target.given.now)
    return ConversationInfo(
        chat.id, target.space, "active", chat.title, None, None, 0, 0, 0, at, at, None, dict(chat.metadata)
    )


@dataclass(frozen=True, slots=True)
class ExportSource:
    """Another program's export: its path, its format, and a name for a single file that replaces the file's own."""

    path: Path
    format: ImportFormat | None = None
    name: str | None = None

    @property
    def called(self) -> str:
        return self.name or self.path.name

    def read(self) -> Iterator[ExportItem]:
        return read_export(self.path, self.format, self.name)


def import_chats(export: ExportSource, target: ImportTarget, progress: Progress) -> ImportReport:
    """Stores an export. Raises InvalidInput before anything is written if it cannot be read to its end, or contains
    nothing of a known format."""
    total, chats, strange = 0, 0, 0
    for found in export.read():
        if isinstance(found, SkippedItems):
            strange += found.count if found.reason == SkipReason.UNKNOWN else 0
        else:
            chats, total = chats + 1, total + len(found.messages)
    if strange and not chats:
        raise InvalidInput(_unknown_format_message(export))
    return ChatImporter(target, progress, total).put(export.read())


def _unknown_format_message(export: ExportSource) -> str:
    if export.format is not None:
        return f"nothing in {export.called} is known as {export.format}; leave the format out to have it found out"
    return (
        f"nothing in {export.called} is known; aforesaid reads exports of {', '.join(IMPORT_FORMATS)}. "
        "Say which one it is with format, if it is one of them"
    )

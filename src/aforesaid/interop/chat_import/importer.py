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
from pathlib import Path

from aforesaid import plugins
from aforesaid.errors import ConflictError, InvalidInput, NotFound
from aforesaid.ingest.draft import DraftBuilder, IngestOptions, MessageInput
from aforesaid.interop.chat_import import chat
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.interop.chat_import.parsing import stable_id
from aforesaid.interop.chat_import.read import read_export
from aforesaid.interop.json_stream import batches
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.fact import ImportedMemory
from aforesaid.models.message import Message, MessageDraft
from aforesaid.models.transfer import IMPORT_FORMATS, ImportFormat, ImportReport
from aforesaid.ports import Importer, Progress
from aforesaid.storage.store import Store
from aforesaid.temporary_files import TemporaryFiles
from aforesaid.text import validate

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


IdentifiedMessage = tuple[str, ExportedMessage]  # with the id from the export, or a derived one
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
    for own_id, message in batch:
        id = _id_in_space(conversation, own_id, stored)
        twin = stored.get(id) or new.get(id)
        if twin is not None and _content_key(twin) == _content_key(message):
            known.append(twin)
        elif (draft := make(id, message)) is None:
            refused += 1
        elif twin is None:
            new[id] = draft
        elif _content_key(twin) == _content_key(draft):
            known.append(twin)
        else:
            changed += 1
    return BatchPartition(tuple(new.values()), tuple(known), changed, refused)


def candidate_ids(conversation: str, batch: Sequence[IdentifiedMessage]) -> list[str]:
    """The ids under which the messages of a batch may be stored."""
    return [id for own_id, _ in batch for id in (own_id, stable_id(conversation, own_id))]


def _id_in_space(conversation: str, id: str, stored: Mapping[str, Message]) -> str:
    """The id, or a derived one if another conversation of the space has it: a branched conversation repeats the
    messages of the original."""
    other = stable_id(conversation, id)
    taken = id in stored and stored[id].conversation != conversation
    return other if taken or other in stored else id


def _content_key(message: Message | MessageDraft | ExportedMessage) -> tuple[object, ...]:
    return message.role, message.content, message.name, message.tool_calls or None, message.tool_call_id


BATCH = 500  # messages in one transaction
MESSAGE_FIELDS = ("role", "content", "name", "tool_calls", "tool_call_id", "at", "metadata", "expires")


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
        self._formats: dict[ImportFormat, None] = {}

    def store(self, items: Iterator[ExportItem]) -> ImportReport:
        for item in items:
            if isinstance(item, SkippedItems):
                self._skipped[item.reason] += item.count
            elif item.kind == "profile" and not self._target.consent:
                self._skipped[SkipReason.NO_CONSENT] += len(item.messages)
                self._advance(len(item.messages))
            else:
                self._store_chat(item)
        return ImportReport(
            formats=tuple(self._formats),
            conversations=len(self._conversations),
            messages=self._count["new"],
            known=self._count["known"],
            changed=self._count["changed"],
            facts=self._count["facts"],
            skipped=dict(sorted(self._skipped.items())),
        )

    def _store_chat(self, chat: ExportedChat) -> None:
        self._formats[chat.source] = None
        if not chat.messages:
            return
        self._conversations.add(chat.id)
        at = chat.begun
        for batch in batches(enumerate(chat.messages, chat.first), BATCH):
            identified: list[IdentifiedMessage] = []
            for place, message in batch:
                at = message.at or at or self._target.given.now
                id = message.id or stable_id(chat.id, place, message.role, message.content)
                identified.append((id, replace(message, at=at)))
            self._store_batch(chat, identified)
            self._advance(len(batch))

    def _store_batch(self, chat: ExportedChat, batch: Sequence[IdentifiedMessage]) -> None:
        target = self._target
        while True:
            stored = target.store.messages.known(target.space, candidate_ids(chat.id, batch))
            partition = partition_batch(chat.id, batch, stored, self._draft)
            try:
                if partition.new and not target.dry_run:
                    self._append(chat, partition.new)
                break
            except ConflictError:  # another process has stored one of them meanwhile
                continue
        self._count.update(new=len(partition.new), known=len(partition.known), changed=partition.changed)
        self._skipped += Counter({SkipReason.REFUSED: partition.refused})
        if chat.kind != "talk" and not target.dry_run:
            self._propose_facts(chat, (*partition.new, *partition.known))

    def _draft(self, id: str, message: ExportedMessage) -> MessageDraft | None:
        """The draft of a message; None if it is not valid, or has expired."""
        fields, given = {field: getattr(message, field) for field in MESSAGE_FIELDS}, self._target.given
        try:
            draft = self._target.drafts.make(MessageInput(id=id, **fields), given)
        except InvalidInput:
            return None
        return None if draft.expires_at is not None and draft.expires_at <= given.now else draft

    def _append(self, chat: ExportedChat, drafts: Sequence[MessageDraft]) -> None:
        """Also creates the conversation; its last change is the time of its newest message."""
        target, times = self._target, [draft.created_at for draft in drafts]
        info = target.store.conversations.start(_new_conversation(chat, target, times[0]))
        updated = min(target.given.now, max(info.updated_at, *times))
        target.store.messages.append(target.space, chat.id, drafts, updated)

    def _propose_facts(self, chat: ExportedChat, messages: Sequence[Message | MessageDraft]) -> None:
        """Proposes facts, also from stored messages: an earlier import may have been interrupted before this step."""
        for message in messages:
            quotes = passages(message.text) if chat.kind == "profile" else [(message.text, message.text)]
            for quote, text in quotes:
                memory = ImportedMemory(text, quote, message.id, (chat.source,))
                try:
                    self._count["facts"] += self._target.propose(memory)
                except (InvalidInput, NotFound):
                    self._skipped[SkipReason.NO_FACT] += 1

    def _advance(self, messages: int) -> None:
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
    """Another program's export: its path, its format, a name that replaces the name of a single file, and the name of
    the user in chats between people."""

    path: Path
    format: ImportFormat | None = None
    name: str | None = None
    me: str | None = None
    importer: Importer | None = None  # of another package, in place of a format

    def read(self, temporary: TemporaryFiles) -> Iterator[ExportItem]:
        if self.importer is not None:
            records = (validate.record(each, "a conversation of an importer") for each in self.importer.read(self.path))
            return chat.chats(records, SourceFile(self.name or self.path.name, self.me))
        return read_export(self.path, self.format, self.name, self.me, temporary)


def find_format(name: str | None) -> tuple[ImportFormat | None, Importer | None]:
    """The format of this name, or the importer that another package registers in the group `aforesaid.importers`."""
    if name is None:
        return None, None
    known = next((format for format in IMPORT_FORMATS if format == name), None)
    if known is not None:
        return known, None
    make = plugins.find("importers", name) if isinstance(name, str) else None
    if make is None:
        raise InvalidInput(f"format must be one of {', '.join((*IMPORT_FORMATS, *plugins.names('importers')))}")
    return None, validate.with_methods(plugins.make(make, "importers", name), "importer", "read")


def import_chats(export: ExportSource, target: ImportTarget, progress: Progress) -> ImportReport:
    """Stores an export. Raises InvalidInput before anything is written if it cannot be read to its end, or contains
    nothing of a known format."""
    total, unknown = 0, 0
    temporary = target.store.temporary_files
    for item in export.read(temporary):
        if isinstance(item, SkippedItems):
            unknown += item.reason == SkipReason.UNKNOWN
        else:
            total += len(item.messages)
        progress(0, total)
    if unknown and not total:
        raise InvalidInput(_unknown_format_message(export))
    return ChatImporter(target, progress, total).store(export.read(temporary))


def _unknown_format_message(export: ExportSource) -> str:
    name = export.name or export.path.name
    if export.format is not None:
        return f"{name} has no records of the format {export.format}; leave out the format to detect it"
    return (
        f"{name} has no records of a known format; aforesaid reads exports of {', '.join(IMPORT_FORMATS)}. "
        "If it is one of them, set format"
    )

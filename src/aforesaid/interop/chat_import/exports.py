"""The common shape of all imported chats. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Literal

from aforesaid.interop.json_stream import repair
from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS, Content
from aforesaid.models.transfer import ImportFormat

ChatKind = Literal["talk", "memories", "profile"]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The file that is parsed: its path in the export. `me` is the name of the user in chats between people. `names`
    is shared by the files of one export: a file of its people and channels fills it with the name for each id."""

    path: str
    me: str | None = None
    names: dict[str, str] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        return str(repair(PurePosixPath(self.path).stem))

    @property
    def folder(self) -> str:
        return str(repair(PurePosixPath(self.path).parent.name))


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A message. The importer derives an id from its place and content if it has none."""

    role: str
    content: Content
    id: str | None = None
    at: datetime | None = None
    name: str | None = None
    tool_calls: Sequence[Mapping[str, Json]] | None = None
    tool_call_id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    expires: str | None = None

    @property
    def is_empty(self) -> bool:
        """Returns True if the message has nothing that could be stored."""
        if self.tool_calls or (self.role == "tool" and self.tool_call_id):
            return False
        if isinstance(self.content, str):
            return not self.content.strip()
        return not any(part.get("type") not in TEXT_PARTS or str(part.get("text")).strip() for part in self.content)


@dataclass(frozen=True, slots=True)
class ExportedChat:
    """A conversation, or a part of a long one: `first` is the position of its first message.

    In `memories`, each message is a note about the user. In a `profile`, each message is a text about the user, which
    only a space with consent may keep.
    """

    id: str
    source: ImportFormat
    messages: Sequence[ExportedMessage]
    title: str | None = None
    begun: datetime | None = None
    first: int = 0
    kind: ChatKind = "talk"
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SkippedItems:
    """Items that are left out: the reason and the count."""

    reason: str
    count: int = 1

    @classmethod
    def from_counts(cls, counts: Mapping[str, int]) -> Iterator[SkippedItems]:
        return (cls(reason, count) for reason, count in counts.items() if count)


ExportItem = ExportedChat | SkippedItems


class SkipReason:
    """The reasons to leave out items, as reports show them."""

    NO_TEXT = "without text"
    OTHER_BRANCH = "on another branch"
    HIDDEN = "hidden"
    THOUGHTS = "thoughts"
    TOOL = "of or to a tool"
    ATTACHMENTS = "attached files"
    UNKNOWN_TYPE = "of an unknown type"
    UNKNOWN = "not recognised"
    PROGRAM = "of the program, not typed by a person"
    SUMMARY = "summaries by the program"
    SUBAGENT = "of a subagent"
    NOTICE = "notices"
    OUTDATED = "facts that are no longer true"
    CUT_OFF = "cut off at the end of a file"
    OTHER_FILE = "other files of the archive"
    REFUSED = "refused: expired, or not valid as a message"
    NO_CONSENT = "a profile without consent"
    NO_FACT = "refused: not valid as a fact"
    NO_MEMORY = "items that are no memories"

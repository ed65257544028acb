"""The common shape of all imported chats, and the parsing of their ids and times. Nothing is stored here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS, Content
from aforesaid.models.transfer import ImportFormat
from aforesaid.text.validate import LARGEST_NAME, LONGEST_NAME


def valid_id(value: Json) -> str | None:
    """The id or name that an export gives; None if it is not a valid one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() and _fits_name(value) else None


def _fits_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and len(name.encode(errors="replace")) <= LARGEST_NAME


def stable_id(*parts: Json) -> str:
    """An id derived from the parts: the same parts give the same id."""
    written = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:32]


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_FROM = 100_000_000_000  # as seconds, this would be the year 5138


def parse_time(value: Json) -> datetime | None:
    """Parses a time; UTC if it has no zone. Returns None if it is not a time."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return EPOCH + timedelta(seconds=value / 1000 if value > MILLISECONDS_FROM else value)
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        if found is None:
            return None
        return found.replace(tzinfo=UTC) if found.utcoffset() is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


ChatKind = Literal["talk", "memories", "profile"]


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


ExportItem = ExportedChat | SkippedItems

NO_TEXT = "without text"
OTHER_BRANCH = "on another branch"
HIDDEN = "hidden"
THOUGHTS = "thoughts"
TOOL = "of or to a tool"
ATTACHMENTS = "attached files"
UNKNOWN_TYPE = "of an unknown type"
UNKNOWN = "not recognised"
OTHER_FILE = "other files of the archive"
REFUSED = "refused: not valid as a message"
NO_CONSENT = "a profile without consent"
NO_FACT = "refused: not valid as a fact"

"""What other programs' exports hold, in one shape, before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from recollect.models import TEXT_PARTS, Content, ImportFormat, Json

ChatKind = Literal["talk", "memories", "profile"]


@dataclass(frozen=True, slots=True)
class Said:
    """A message. One without an id gets one that follows from its place and its words."""

    role: str
    content: Content
    id: str | None = None
    at: datetime | None = None
    name: str | None = None
    tool_calls: Sequence[Mapping[str, Json]] | None = None
    tool_call_id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def wordless(self) -> bool:
        """Whether there is nothing in it that could be stored."""
        if self.tool_calls or (self.role == "tool" and self.tool_call_id):
            return False
        if isinstance(self.content, str):
            return not self.content.strip()
        return not any(part.get("type") not in TEXT_PARTS or str(part.get("text")).strip() for part in self.content)


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation, or a stretch of a long one: `first` is the place of its first message in it.

    Of `memories` each message is something that was noted about the user; of a `profile` each is a text about them,
    which only a space with consent may keep.
    """

    id: str
    source: ImportFormat
    messages: Sequence[Said]
    title: str | None = None
    begun: datetime | None = None
    first: int = 0
    kind: ChatKind = "talk"
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Aside:
    """Something that is left out, why, and how often."""

    reason: str
    count: int = 1


Found = Chat | Aside

NO_TEXT = "without text"
OTHER_BRANCH = "on another branch"
HIDDEN = "hidden"
THOUGHTS = "thoughts"
TOOL = "of or to a tool"
ATTACHED = "attached files"
UNKNOWN_TYPE = "of an unknown type"
UNKNOWN = "not recognised"
OTHER_FILE = "other files of the archive"
REFUSED = "refused: not valid as a message"
NO_CONSENT = "a profile without consent"
NO_FACT = "refused: not valid as a fact"

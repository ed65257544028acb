"""Messages, their chunks and their drafts, and the time spans that they mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from aforesaid.models.json import Json
from aforesaid.models.value import Value

Role = Literal["system", "user", "assistant", "tool"]
ChunkKind = Literal["code", "prose"]

ROLES: tuple[Role, ...] = get_args(Role)
CHUNK_KINDS: tuple[ChunkKind, ...] = get_args(ChunkKind)
TEXT_PARTS = ("text", "input_text", "output_text")

Part = Mapping[str, Json]
Content = str | Sequence[Part]
Expires = datetime | timedelta | str  # a time, or a duration such as `30d`, or `never`


@dataclass(frozen=True, slots=True)
class Message(Value):
    """A stored message. `content` is the caller's content: text, or a list of parts. At `expires_at` it disappears.
    `raw` is the message as a framework wrote it: JSON text, byte for byte."""

    id: str
    space: str
    conversation: str
    seq: int
    role: Role
    content: str | list[dict[str, Json]]
    name: str | None
    tool_calls: list[dict[str, Json]] | None
    tool_call_id: str | None
    model: str | None
    importance: float
    tokens: int
    created_at: datetime
    metadata: dict[str, Json]
    expires_at: datetime | None = None
    raw: str | None = None

    @property
    def text(self) -> str:
        """The text of the message; of a list of parts, the text parts, joined by blank lines."""
        return text_of(self.content)


def text_of(content: Content) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part.get("type") in TEXT_PARTS)


@dataclass(frozen=True, slots=True)
class MessageScore(Value):
    """The importance of a message by the current rules, its previous importance, and the rules that apply."""

    message_id: str
    seq: int
    importance: float
    before: float
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk(Value):
    """A range of a message's text. The chunks of a message, joined in order, are its text."""

    id: str
    message_id: str
    index: int
    kind: ChunkKind
    language: str | None
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class TimeSpan(Value):
    """A half-open time span, in UTC, that a text mentions. `text` is the mention."""

    start: datetime
    stop: datetime
    text: str


# Values between ingest, the store and the worker.


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it is stored: the range `start` to `stop` of the text, and its index terms."""

    kind: ChunkKind
    language: str | None
    start: int
    stop: int
    tokens: int
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message before it is stored.

    `text` is the text of `content`. `named` is True if the caller chose the id, so that the message can be stored
    already. `indexed` is False if full-text search must not find it. `jobs` are the kinds of its background jobs.
    `created_at` is in UTC, `utc_offset` is the author's offset in seconds. `seq` is set only by an import.
    """

    id: str
    role: Role
    content: str | list[dict[str, Json]]
    text: str
    name: str | None
    tool_calls: list[dict[str, Json]] | None
    tool_call_id: str | None
    model: str | None
    importance: float
    tokens: int
    created_at: datetime
    metadata: dict[str, Json]
    chunks: tuple[ChunkDraft, ...]
    named: bool = True
    indexed: bool = True
    utc_offset: int = 0
    jobs: tuple[str, ...] = ()
    seq: int | None = None
    expires_at: datetime | None = None
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class MessageRange:
    """Messages of a conversation to remove: from seq `first` to `last`, or with `newest` only the newest of these."""

    first: int = 0
    last: int | None = None
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as distilling reads it. `at` has the author's UTC offset."""

    id: str
    seq: int
    role: Role
    speaker: str
    text: str
    at: datetime
    model: str | None
    tokens: int

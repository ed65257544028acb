"""Messages, their chunks and their drafts, and the time spans that they mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.json import Json

Role = Literal["system", "user", "assistant", "tool"]
ChunkKind = Literal["code", "prose"]

ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")
CHUNK_KINDS: tuple[ChunkKind, ...] = ("code", "prose")

Part = Mapping[str, Json]
Content = str | Sequence[Part]


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was stored. `content` is what the caller gave: text, or a list of parts."""

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

    @property
    def text(self) -> str:
        """The words of the message: its text, or its text parts joined by a blank line."""
        return text_of(self.content)


def text_of(content: Content) -> str:
    """The words in a message's content. Parts that are not text have none."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part.get("type") in TEXT_PARTS)


TEXT_PARTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class MessageScore:
    """A message's importance by the rules as they are now, what it was before, and the rules that apply to it."""

    message_id: str
    seq: int
    importance: float
    before: float
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a message's text. A message's chunks, put together in order, are its text."""

    id: str
    message_id: str
    index: int
    kind: ChunkKind
    language: str | None
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A span of time that a text speaks of, in UTC: from `start` up to, not including, `stop`. `text` is its words."""

    start: datetime
    stop: datetime
    text: str


# What ingest hands to a store, and a store to the worker.


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it is stored: where it lies in the text, and the terms to index it under."""

    kind: ChunkKind
    language: str | None
    start: int
    stop: int
    tokens: int
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message before it is stored.

    `text` is the words of `content`. `named` says that the caller chose the id, so it may be stored already.
    `indexed` is false for what full-text search must never find. `jobs` are the kinds of work that it asks for.
    `created_at` is in UTC, `utc_offset` how many seconds east of it the message was said.
    `seq` is set only when a record is put back where it was.
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


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as distilling reads it: what was said, by whom, and when, in its own offset."""

    id: str
    seq: int
    role: Role
    speaker: str
    text: str
    at: datetime
    model: str | None
    tokens: int

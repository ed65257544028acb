"""Quotes: recalled texts with their source. A quote cannot close its block or imitate a line that aforesaid writes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.fact import Fact
from aforesaid.models.message import Chunk, Message, Role
from aforesaid.models.pin import Pin
from aforesaid.models.recall import Hit, Score
from aforesaid.models.value import Value
from aforesaid.text.control_tokens import neutralize
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.names import ROLE_NAMES, imitates, short_name

QuoteKind = Literal["message", "pin", "fact"]
BY_HAND = "remembered"  # shown as the conversation of a fact that no message states

MARKS: dict[QuoteKind, str] = {"message": "", "pin": "pinned ", "fact": "fact from "}


@dataclass(frozen=True, slots=True)
class Quote(Value):
    """A recalled text and its source. `whole` is False for a part of a message, `order` is its position in the
    conversation, `tokens` is the count of its text when it was stored. `words`: of an excerpt, and of
    its message. `space` is None for the context's own space."""

    kind: QuoteKind
    id: str
    source_message_id: str | None
    conversation: str
    at: datetime
    order: tuple[int, int]
    text: str
    role: Role
    name: str | None = None
    imported: bool = False
    untrusted: bool = False
    whole: bool = True
    code: bool = False
    score: Score | None = None
    sources: tuple[str, ...] = ()
    tokens: int = 0
    words: tuple[int, int] | None = None
    space: str | None = None

    @property
    def key(self) -> tuple[str | None, str]:
        """Identifies the quote: an id is unique in its space only."""
        return self.space, self.id

    @property
    def place(self) -> tuple[str, str]:
        """Its space and its conversation."""
        return self.space or "", self.conversation

    @property
    def speaker(self) -> str:
        """The speaker's name on one line; empty for a tool, and for a name that could pass for a role."""
        named = self.name is not None and self.role != "tool" and not imitates(self.name, self.role)
        return short_name(self.name) if named and self.name else ""

    @property
    def label(self) -> str:
        """The speaker's name, else the role, with marks for the kind and origin of the quote."""
        marks = MARKS[self.kind] + ("imported " if self.imported else "")
        return marks + (self.speaker or self.role) + (" [untrusted]" if self.untrusted else "")


def is_imported(message: Message) -> bool:
    return bool(message.metadata.get("imported"))


def is_external(message: Message) -> bool:
    """Returns True if the message comes from a tool or from an import."""
    return message.role == "tool" or is_imported(message)


def quote_hit(hit: Hit, message: Message, chunk: Chunk) -> Quote:
    text = chunk.content
    return Quote(
        "message",
        message.id,
        message.id,
        message.conversation,
        message.created_at,
        (message.seq, chunk.index),
        text,
        message.role,
        message.name,
        is_imported(message),
        is_external(message) and looks_like_injection(text),
        whole=len(text) >= len(message.text),
        code=chunk.kind == "code",
        score=hit.score,
        sources=hit.sources,
        tokens=chunk.tokens,
    )


def quote_pin(pin: Pin, source: Message) -> Quote:
    return Quote(
        "pin",
        pin.id,
        source.id,
        source.conversation,
        source.created_at,
        (source.seq, 0),
        pin.content,
        source.role,
        source.name,
        is_imported(source),
        is_external(source) and looks_like_injection(pin.content),
    )


def quote_found_pin(hit: Hit, at: datetime) -> Quote:
    """A quote of a pin of another space. `hit.message` is its source, if it has one."""
    source = hit.message
    external = source is not None and is_external(source)
    return Quote(
        "pin",
        hit.id,
        source.id if source else None,
        hit.conversation,
        source.created_at if source else at,
        (source.seq, 0) if source else (0, 0),
        hit.text,
        source.role if source else "user",
        source.name if source else None,
        source is not None and is_imported(source),
        external and looks_like_injection(hit.text),
        score=hit.score,
        sources=hit.sources,
    )


def quote_fact(hit: Hit, fact: Fact) -> Quote:
    """A quote of a fact, with the speaker and the time of its last evidence, unless its words were edited since."""
    last = fact.evidence[-1] if fact.evidence else None
    said = last if last and last.supports else None
    name = None if said is None or said.speaker.lower() in ROLE_NAMES else said.speaker
    return Quote(
        kind="fact",
        id=fact.id,
        source_message_id=last.message_id if last else None,
        conversation=said.conversation if said else BY_HAND,
        at=said.said_at if said else fact.created_at,
        order=(0, 0),
        text=fact.text,
        role="user",
        name=name,
        untrusted=looks_like_injection(fact.text),
        score=hit.score,
        sources=hit.sources,
        tokens=fact.tokens,
    )


def blockquote(label: str, text: str) -> list[str]:
    """The lines of a text: the first after `label> `, the others after `> `. Every line separator ends a line."""
    lines = [line for line in map(str.rstrip, neutralize(text).splitlines()) if line] or [""]
    return [f"{label}> {lines[0]}", *(f"> {line}" for line in lines[1:])]

"""Recalled text as quoted data. Whatever it says, it cannot end its block or pass for one of our own lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.context.trust import NAMED_LIKE_ROLES, foreign, imported
from recollect.models import Chunk, Fact, Hit, Message, Pin, Role, Score
from recollect.text.injected import TAGS
from recollect.text.orders import orders

LONGEST_NAME, LONGEST_ID = 40, 24
QuoteKind = Literal["message", "pin", "fact"]
BY_HAND = "remembered"  # where a fact stands that nobody said

_TAG = re.compile(rf"[<\uFF1C\uFE64](?=\W{{0,8}}(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_ODD = re.compile(r"[\s<>\[\]()=,#|]+")

MARKS: dict[QuoteKind, str] = {"message": "", "pin": "pinned ", "fact": "fact from "}


@dataclass(frozen=True, slots=True)
class Quote:
    """Something recalled, and where it comes from. `whole` is false for a part of a message."""

    kind: QuoteKind
    id: str
    source_message_id: str | None
    conversation: str
    at: datetime
    order: tuple[int, int]  # within its conversation
    text: str
    role: Role
    name: str | None = None
    imported: bool = False
    untrusted: bool = False
    whole: bool = True
    code: bool = False
    score: Score | None = None
    sources: tuple[str, ...] = ()
    tokens: int = 0  # of the text, as they were counted when it came in


def of_hit(hit: Hit, message: Message, chunk: Chunk) -> Quote:
    """The best chunk of a message that was found."""
    return Quote(
        kind="message",
        id=message.id,
        source_message_id=message.id,
        conversation=message.conversation,
        at=message.created_at,
        order=(message.seq, chunk.index),
        text=chunk.content,
        role=message.role,
        name=message.name,
        imported=imported(message.metadata),
        untrusted=foreign(message) and orders(chunk.content),
        whole=len(chunk.content) >= len(message.text),
        code=chunk.kind == "code",
        score=hit.score,
        sources=hit.sources,
        tokens=chunk.tokens,
    )


def of_pin(pin: Pin, source: Message) -> Quote:
    """A pin that was made from somebody's words."""
    return Quote(
        kind="pin",
        id=pin.id,
        source_message_id=source.id,
        conversation=source.conversation,
        at=source.created_at,
        order=(source.seq, 0),
        text=pin.content,
        role=source.role,
        name=source.name,
        imported=imported(source.metadata),
        untrusted=foreign(source) and orders(pin.content),
    )


def of_fact(hit: Hit, fact: Fact) -> Quote:
    """A fact that was found, with who said it last, and when."""
    said = fact.evidence[-1] if fact.evidence else None
    name = None if said is None or said.speaker.lower() in NAMED_LIKE_ROLES else said.speaker
    return Quote(
        kind="fact",
        id=fact.id,
        source_message_id=said.message_id if said else None,
        conversation=said.conversation if said else BY_HAND,
        at=said.said_at if said else fact.created_at,
        order=(0, 0),
        text=fact.text,
        role="user",
        name=name,
        untrusted=orders(fact.text),
        score=hit.score,
        sources=hit.sources,
        tokens=fact.tokens,
    )


def quoted(first: str, text: str) -> list[str]:
    """The lines of a text behind `first>`, and `>` from the second on; every separator counts as a line's end."""
    lines = [line for line in map(str.rstrip, harmless(text).splitlines()) if line] or [""]
    return [f"{first}> {lines[0]}", *(f"> {line}" for line in lines[1:])]


def harmless(text: str) -> str:
    """The text with what looks like a tag of ours broken up."""
    return _TAG.sub("‹", text)


def short(name: str, most: int) -> str:
    """A name or id on one line, without what our own lines are made of."""
    clean = _ODD.sub(" ", name).strip() or "?"
    return clean if len(clean) <= most else clean[: most - 1].rstrip() + "…"


def speaker(quote: Quote) -> str:
    """Who said it, as the quote's line begins: a name where there is one, else the role."""
    name = short(quote.name, LONGEST_NAME) if quote.name and quote.role != "tool" else ""
    label = quote.role if not name or name.lower() in NAMED_LIKE_ROLES else name
    marks = MARKS[quote.kind] + ("imported " if quote.imported else "")
    return marks + label + (" [untrusted]" if quote.untrusted else "")

"""Recalled text as quoted data. Whatever it says, it cannot end its block or pass for one of our own lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.context.trust import NAMED_LIKE_ROLES, foreign, imported, orders
from recollect.models import Hit, Message, Pin, Role, Score, Summary

LONGEST_NAME, LONGEST_ID = 40, 24
QuoteKind = Literal["message", "pin", "summary"]

_TAG = re.compile(r"[<\uFF1C\uFE64](?=\W{0,8}(?:recalled|pinned|summaries)\b)", re.IGNORECASE)
_ODD = re.compile(r"[\s<>\[\]()=,#|]+")


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
    role: Role | None = None
    name: str | None = None
    imported: bool = False
    untrusted: bool = False
    whole: bool = True
    code: bool = False
    score: Score | None = None
    sources: tuple[str, ...] = ()


def of_hit(hit: Hit) -> Quote:
    """The best chunk of a message that was found."""
    message, chunk = hit.message, hit.chunk
    return Quote(
        "message", message.id, message.id, message.conversation, message.created_at,
        (message.seq, chunk.index), chunk.content, message.role, message.name, imported(message.metadata),
        foreign(message) and orders(chunk.content), len(chunk.content) >= len(message.text),
        chunk.kind == "code", hit.score, hit.sources,
    )  # fmt: skip


def of_pin(pin: Pin, conversation: str, source: Message | None) -> Quote:
    role = source.role if source else None
    brought = bool(source and imported(source.metadata))
    untrusted = bool(source and foreign(source) and orders(pin.content))
    return Quote(
        "pin", pin.id, pin.source_message_id, conversation, source.created_at if source else pin.created_at,
        (source.seq if source else -1, 0), pin.content, role, source.name if source else None, brought, untrusted,
    )  # fmt: skip


def of_summary(summary: Summary) -> Quote:
    order, at = (summary.first_seq, 0), summary.created_at
    return Quote("summary", summary.id, None, summary.conversation, at, order, summary.text, untrusted=True)


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
    role = quote.role or quote.kind
    name = short(quote.name, LONGEST_NAME) if quote.name and role != "tool" else ""
    label = role if not name or name.lower() in NAMED_LIKE_ROLES else name
    marks = ("pinned " if quote.kind == "pin" and quote.role else "") + ("imported " if quote.imported else "")
    return marks + label + (" [untrusted]" if quote.untrusted else "")

"""Makes the values of a context without a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from aforesaid import RECIPES, Chunk, Context, Hit, Hits, Message, Pin, Score, Summary
from aforesaid.context.build import ReceiptStamp, build
from aforesaid.context.current_turn import current_turn
from aforesaid.context.gather import Material
from aforesaid.context.request import ContextArguments
from aforesaid.context.tokens import MESSAGE_OVERHEAD
from aforesaid.providers.tokenizers import tokenizer

O200K = tokenizer("o200k").count
START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
STAMP = ReceiptStamp("receipt", START)


def message(seq: int, role: str = "user", text: Any = "hello", **rest: Any) -> Message:
    """Makes a message of conversation `here` with the token count of its text."""
    words = text if isinstance(text, str) else "\n\n".join(p["text"] for p in text if p.get("type") == "text")
    known: dict[str, Any] = dict.fromkeys(("name", "tool_calls", "tool_call_id", "model"))
    known |= {"space": "alice", "conversation": "here", "importance": 0.5, "metadata": {}, "tokens": O200K(words)}
    known |= {"id": f"{rest.get('conversation', 'here')}-{seq}", "created_at": START + timedelta(minutes=seq)} | rest
    return Message(seq=seq, role=role, content=text, **known)  # type: ignore[arg-type]


def call(seq: int, *ids: str, arguments: str = "{}", text: str = "") -> Message:
    calls = [{"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}} for id in ids]
    return message(seq, "assistant", text, tool_calls=calls)


def result(seq: int, id: str, text: str = "found") -> Message:
    return message(seq, "tool", text, tool_call_id=id)


def hit(seq: int, text: str, score: float = 0.9, *, kind: str = "prose", chunk: str | None = None, **rest: Any) -> Hit:
    found = message(seq, rest.pop("role", "user"), text, **{"conversation": "old"} | rest)
    part = Chunk(f"{found.id}#0", found.id, 0, kind, None, chunk or text, O200K(chunk or text))  # type: ignore[arg-type]
    parts = Score(score, score, score, 0.0)
    return Hit("message", found.id, part.content, parts, ("dense", "lexical"), found.conversation, found, part)


def pin(number: int, text: str, importance: float = 0.8, source: str | None = None) -> Pin:
    return Pin(f"pin-{number}", text, importance, "manual", source, START)


def summary(first: int, last: int, text: str = "They talked.", kind: str = "segment") -> Summary:
    return Summary(
        f"{kind}-{first}-{last}", "alice", "here", kind, first, last, last - first + 1, text, (), 0.7, None,  # type: ignore[arg-type]
        "completed", "model", None, O200K(text), 1.0, None, START,
    )  # fmt: skip


def turns(number: int, words: str = "a few plain words") -> list[Message]:
    """Makes the given number of turns, each a user message and a reply."""
    return [message(seq, ("user", "assistant")[seq % 2], f"{words} {seq}") for seq in range(2 * number)]


def material(
    messages: Sequence[Message] = (),
    query: str | None = None,
    *,
    pins: Sequence[Pin] = (),
    pinned: Sequence[Message] = (),
    summaries: Sequence[Summary] = (),
    hits: Sequence[Hit] = (),
    before: int = 0,
) -> Material:
    """Makes the material that a store returns; `before` is the token count of messages that were not read."""
    lead = []
    for one in messages:
        if one.role != "system" or one.seq != len(lead):
            break
        lead.append(one)
    end = before + sum(one.tokens + MESSAGE_OVERHEAD for one in messages)
    shown = current_turn(messages, query, lead)
    found = Hits(tuple(hits))
    made = tuple(pins), tuple(pinned), tuple(summaries)
    return Material("alice", "here", tuple(messages), end, shown, *made, lambda _room, _shown: found)


Count = Callable[[str], int]


def context(
    read: Material, query: str | None = None, recipe: Any = "balanced", count: Count = O200K, **rest: Any
) -> Context:
    return build(ContextArguments(query, recipe, **rest).validated(), read, count, STAMP)


def counted(messages: list[dict[str, Any]], count: Count = O200K) -> int:
    """Counts the tokens of a request by OpenAI's published rule, independently of the implementation."""
    total = 3 if messages else 0
    for one in messages:
        total += 3 + count(one["role"])
        content = one["content"] or ""
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                total += count(part["text"]) if part["text"] else 0
            else:
                total += 85 if part["image_url"].get("detail") == "low" else 1105
        if "name" in one:
            total += count(one["name"]) + 1
        for asked in one.get("tool_calls", ()):
            body = asked[asked["type"]]
            written = body.get("arguments") or body.get("input")
            total += 3 + count(body["name"]) + (count(written) if written else 0)
    return total


NAMES = tuple(RECIPES)

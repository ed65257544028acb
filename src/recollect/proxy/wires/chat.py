"""Requests for OpenAI's chat completions."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.models import Json
from recollect.proxy.said import Said, kept, others_of, words_of
from recollect.proxy.wires.contents import before_words, number
from recollect.replies.values import at, word
from recollect.replies.values import items as items_at

OPENING = ("system", "developer")


def items(body: dict[str, Json]) -> list[Json]:
    return items_at(body, "messages")


def opening(body: dict[str, Json]) -> str:
    return "\n".join(words_of(at(item, "content")) for item in items(body) if leads(item))


def said(items: Sequence[Json]) -> list[Said]:
    found = [_said(item, place) for place, item in enumerate(items)]
    return [one for one in found if one is not None and not one.empty]


def opens(item: Json) -> bool:
    return word(item, "role") == "user"


def leads(item: Json) -> bool:
    return word(item, "role") in OPENING


def beside(item: Json, aside: str) -> Json:
    return {**item, "content": before_words(at(item, "content"), aside, "text")}


def put(body: dict[str, Json], items: list[Json]) -> dict[str, Json]:
    return {**body, "messages": items}


def output(body: dict[str, Json]) -> int:
    return number(body, "max_completion_tokens") or number(body, "max_tokens")


def _said(item: Json, place: int) -> Said | None:
    role, content = word(item, "role"), at(item, "content")
    if role == "user":
        return Said("user", words_of(content), others_of(content), item=place)
    if role == "assistant":
        calls = tuple(clean(call) for call in items_at(item, "tool_calls") if isinstance(call, dict))
        return Said("assistant", words_of(content) or kept(word(item, "refusal")), calls=calls, item=place)
    if role == "tool" and word(item, "tool_call_id"):
        return Said("tool", words_of(content), call_id=kept(word(item, "tool_call_id")), item=place)
    return None


def clean(call: dict[str, Json]) -> dict[str, Json]:
    """A call as it is stored: its id, its kind, and what was called with what."""
    kind = "custom" if isinstance(call.get("custom"), dict) else "function"
    given = "input" if kind == "custom" else "arguments"
    asked = {"name": kept(word(call, kind, "name")), given: kept(word(call, kind, given))}
    return {"id": kept(word(call, "id")), "type": kind, kind: asked}

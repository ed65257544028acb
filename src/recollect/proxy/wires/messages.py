"""Requests for Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.models import Json
from recollect.proxy.said import Said, kept, others_of, words_of
from recollect.proxy.wires.contents import before_words, number
from recollect.replies.values import at, word
from recollect.replies.values import items as items_at


def items(body: dict[str, Json]) -> list[Json]:
    return items_at(body, "messages")


def opening(body: dict[str, Json]) -> str:
    return words_of(at(body, "system"))


def said(items: Sequence[Json]) -> list[Said]:
    found = [one for place, item in enumerate(items) for one in _said(item, place)]
    return [one for one in found if not one.empty]


def opens(item: Json) -> bool:
    return word(item, "role") == "user" and not any(map(_is_result, items_at(item, "content")))


def leads(item: Json) -> bool:
    return word(item, "role") == "system"


def beside(item: Json, aside: str) -> Json:
    return {**item, "content": before_words(at(item, "content"), aside, "text")}


def put(body: dict[str, Json], items: list[Json]) -> dict[str, Json]:
    return {**body, "messages": items}


def output(body: dict[str, Json]) -> int:
    return number(body, "max_tokens")


def _said(item: Json, place: int) -> list[Said]:
    role, content = word(item, "role"), at(item, "content")
    parts = items_at(item, "content")
    if role == "user":
        results = [_result(part, place) for part in parts if _is_result(part)]
        return [*results, Said("user", words_of(content), others_of(content), item=place)]
    if role == "assistant":
        calls = tuple(_call(part) for part in parts if word(part, "type") == "tool_use")
        return [Said("assistant", words_of(content), calls=calls, item=place)]
    return []


def _is_result(part: Json) -> bool:
    return word(part, "type") == "tool_result"


def _result(part: Json, place: int) -> Said:
    return Said("tool", words_of(at(part, "content")), call_id=kept(word(part, "tool_use_id")) or None, item=place)


def _call(part: Json) -> dict[str, Json]:
    given = json.dumps(at(part, "input") or {}, ensure_ascii=False)
    asked = {"name": kept(word(part, "name")), "arguments": kept(given)}
    return {"id": kept(word(part, "id")), "type": "function", "function": asked}

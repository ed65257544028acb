"""Requests to Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aforesaid.models.json import Json
from aforesaid.proxy.message import ChatMessage, attachment_kinds, content_text, positive_int, storable_text
from aforesaid.proxy.wires.chat import inject, items, with_items
from aforesaid.replies.json_path import get_list, get_path, get_text

__all__ = ["inject", "instructions", "is_instruction", "items", "output", "parse_items", "starts_turn", "with_items"]


def instructions(body: dict[str, Json]) -> str:
    return content_text(get_path(body, "system"))


def parse_items(items: Sequence[Json]) -> list[ChatMessage]:
    return [message for at, item in enumerate(items) for message in _messages(item, at) if not message.empty]


def starts_turn(item: Json) -> bool:
    return get_text(item, "role") == "user" and not any(map(_is_result, get_list(item, "content")))


def is_instruction(item: Json) -> bool:
    return get_text(item, "role") == "system"


def output(body: dict[str, Json]) -> int:
    return positive_int(body, "max_tokens")


def _messages(item: Json, at: int) -> list[ChatMessage]:
    role, content = get_text(item, "role"), get_path(item, "content")
    parts = get_list(item, "content")
    if role == "user":
        results = [_result(part, at) for part in parts if _is_result(part)]
        return [*results, ChatMessage("user", content_text(content), attachment_kinds(content), item=at)]
    if role == "assistant":
        calls = tuple(_call(part) for part in parts if get_text(part, "type") == "tool_use")
        return [ChatMessage("assistant", content_text(content), calls=calls, item=at)]
    return []


def _is_result(part: Json) -> bool:
    return get_text(part, "type") == "tool_result"


def _result(part: Json, at: int) -> ChatMessage:
    call_id = storable_text(get_text(part, "tool_use_id")) or None
    return ChatMessage("tool", content_text(get_path(part, "content")), call_id=call_id, item=at)


def _call(part: Json) -> dict[str, Json]:
    arguments = json.dumps(get_path(part, "input") or {}, ensure_ascii=False)
    function = {"name": storable_text(get_text(part, "name")), "arguments": storable_text(arguments)}
    return {"id": storable_text(get_text(part, "id")), "type": "function", "function": function}

"""Requests to OpenAI's chat completions."""

from __future__ import annotations

from collections.abc import Sequence

from aforesaid.models.json import Json
from aforesaid.proxy.message import (
    ChatMessage,
    attachment_kinds,
    content_text,
    insert_before_text,
    positive_int,
    storable_text,
)
from aforesaid.replies.json_path import get_list, get_path, get_text

INSTRUCTION_ROLES = ("system", "developer")


def items(body: dict[str, Json]) -> list[Json]:
    return get_list(body, "messages")


def instructions(body: dict[str, Json]) -> str:
    return "\n".join(content_text(get_path(item, "content")) for item in items(body) if is_instruction(item))


def parse_items(items: Sequence[Json]) -> list[ChatMessage]:
    messages = (_message(item, at) for at, item in enumerate(items))
    return [message for message in messages if message is not None and not message.empty]


def starts_turn(item: Json) -> bool:
    return get_text(item, "role") == "user"


def is_instruction(item: Json) -> bool:
    return get_text(item, "role") in INSTRUCTION_ROLES


def inject(item: Json, block: str) -> Json:
    return {**item, "content": insert_before_text(get_path(item, "content"), block, "text")}


def with_items(body: dict[str, Json], items: list[Json]) -> dict[str, Json]:
    return {**body, "messages": items}


def output(body: dict[str, Json]) -> int:
    return positive_int(body, "max_completion_tokens") or positive_int(body, "max_tokens")


def _message(item: Json, at: int) -> ChatMessage | None:
    role, content = get_text(item, "role"), get_path(item, "content")
    text, call_id = content_text(content), storable_text(get_text(item, "tool_call_id"))
    if role == "user":
        return ChatMessage("user", text, attachment_kinds(content), item=at)
    if role == "assistant":
        calls = tuple(_call(call) for call in get_list(item, "tool_calls") if isinstance(call, dict))
        return ChatMessage("assistant", text or storable_text(get_text(item, "refusal")), calls=calls, item=at)
    return ChatMessage("tool", text, call_id=call_id, item=at) if role == "tool" and call_id else None


def _call(call: dict[str, Json]) -> dict[str, Json]:
    kind = "custom" if isinstance(call.get("custom"), dict) else "function"
    names = ("name", "input" if kind == "custom" else "arguments")
    function = {name: storable_text(get_text(call, kind, name)) for name in names}
    return {"id": storable_text(get_text(call, "id")), "type": kind, kind: function}

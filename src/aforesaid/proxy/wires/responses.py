"""Requests to OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aforesaid.models.json import Json
from aforesaid.proxy.message import (
    ChatMessage,
    attachment_kinds,
    content_text,
    insert_before_text,
    positive_int,
    storable_text,
)
from aforesaid.proxy.wires.chat import is_instruction, starts_turn
from aforesaid.replies.json_path import get_list, get_path, get_text

__all__ = ["inject", "instructions", "is_instruction", "items", "output", "parse_items", "starts_turn", "with_items"]

CALL_TYPES = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}
RESULT_TYPES = ("function_call_output", "custom_tool_call_output")


def items(body: dict[str, Json]) -> list[Json]:
    text = get_text(body, "input")
    return [{"role": "user", "content": text}] if text else get_list(body, "input")


def instructions(body: dict[str, Json]) -> str:
    texts = [content_text(get_path(item, "content")) for item in items(body) if is_instruction(item)]
    return "\n".join([get_text(body, "instructions"), *texts])


def parse_items(items: Sequence[Json]) -> list[ChatMessage]:
    """Joins the text and the tool calls of an answer, which are separate items, to one message."""
    messages: list[ChatMessage] = []
    for at, item in enumerate(items):
        message = _message(item, at)
        if message is None or message.empty:
            continue
        if messages and message.role == messages[-1].role == "assistant":
            last = messages[-1]
            messages[-1] = replace(last, text=last.text + message.text, calls=last.calls + message.calls)
        else:
            messages.append(message)
    return messages


def inject(item: Json, block: str) -> Json:
    return {**item, "content": insert_before_text(get_path(item, "content"), block, "input_text")}


def with_items(body: dict[str, Json], items: list[Json]) -> dict[str, Json]:
    text = get_text(items[0], "content") if len(items) == 1 and get_text(body, "input") else ""  # stays a plain text
    return {**body, "input": text or items}


def output(body: dict[str, Json]) -> int:
    return positive_int(body, "max_output_tokens")


def _message(item: Json, at: int) -> ChatMessage | None:
    role, kind, call_id = get_text(item, "role"), get_text(item, "type"), get_text(item, "call_id")
    content = get_path(item, "content")
    if role == "user":
        return ChatMessage("user", content_text(content), attachment_kinds(content), item=at)
    if role == "assistant":
        return ChatMessage("assistant", content_text(content), item=at)
    if kind in CALL_TYPES:
        return ChatMessage("assistant", calls=(_call(item, *CALL_TYPES[kind]),), item=at)
    if kind in RESULT_TYPES and call_id:
        return ChatMessage("tool", content_text(get_path(item, "output")), call_id=storable_text(call_id), item=at)
    return None


def _call(item: Json, kind: str, argument: str) -> dict[str, Json]:
    function = {name: storable_text(get_text(item, name)) for name in ("name", argument)}
    return {"id": storable_text(get_text(item, "call_id")), "type": kind, kind: function}

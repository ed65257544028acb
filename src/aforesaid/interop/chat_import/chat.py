"""Parses messages in the form of chat APIs: one conversation or one message per line, or an array of either.

Anthropic's tool blocks and the tool calls of OpenAI's Responses are brought into that form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.api_messages import response_item, split_tool_blocks
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS

ROLES = {"developer": "system", "function": "tool", "human": "user", "ai": "assistant", "model": "assistant"}
TIMES = ("created_at", "timestamp", "create_time", "at", "time", "date")
BATCH = 500  # messages of one conversation that are yielded together

Record = Mapping[str, Json]


def knows(record: Record) -> bool:
    messages = record.get("messages")
    return any(map(_is_message, messages)) if isinstance(messages, list) else _is_message(record)


def _is_message(record: Json) -> bool:
    if not isinstance(record, dict):
        return False
    said = isinstance(record.get("role"), str) and bool({"content", "tool_calls"} & record.keys())
    return said or isinstance(response_item(record), ExportedMessage)


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Each object with `messages` is a conversation. Bare messages are one conversation, named after the file."""
    place = 0
    batch: list[ExportedMessage] = []
    for number, element in enumerate(elements, 1):
        if isinstance(element, dict) and isinstance(element.get("messages"), list):
            yield from _conversation(element, f"chat:{file.stem}:{number}")
            continue
        for message in parse_message(element):
            if isinstance(message, SkippedItems):
                yield message
                continue
            batch.append(message)
            if len(batch) == BATCH:
                yield ExportedChat(f"chat:{file.stem}", "chat", batch, first=place)
                place, batch = place + BATCH, []
    if batch:
        yield ExportedChat(f"chat:{file.stem}", "chat", batch, first=place)


def _conversation(record: Record, default_id: str) -> Iterator[ExportItem]:
    parsed = list(chain.from_iterable(map(parse_message, record["messages"])))
    yield from (item for item in parsed if isinstance(item, SkippedItems))
    ids = (parsing.valid_id(record.get(name)) for name in ("conversation_id", "conversation", "id"))
    yield ExportedChat(
        next((id for id in ids if id), default_id),
        "chat",
        [item for item in parsed if isinstance(item, ExportedMessage)],
        parsing.valid_title(record.get("title")),
        _time(record),
    )


def parse_message(message: Json) -> Iterator[ExportedMessage | SkippedItems]:
    """The messages of one record: several if it has results of tools."""
    if not isinstance(message, dict):
        yield SkippedItems(SkipReason.UNKNOWN)
    elif isinstance(message.get("role"), str):
        for part in split_tool_blocks(_said(message, message["role"])):
            yield SkippedItems(SkipReason.NO_TEXT) if part.is_empty else part
    else:
        item = response_item(message)
        if isinstance(item, ExportedMessage):
            yield replace(item, at=_time(message))
        else:
            yield SkippedItems(item or SkipReason.UNKNOWN)


def _said(message: Record, role: str) -> ExportedMessage:
    calls = message.get("tool_calls")
    return ExportedMessage(
        ROLES.get(role, role),
        content_parts(message.get("content")),
        parsing.valid_id(message.get("id")),
        _time(message),
        parsing.valid_id(message.get("name")),
        [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else None,
        parsing.valid_id(message.get("tool_call_id")),
    )


def content_parts(content: Json) -> str | list[Record]:
    """Text, or valid parts; other elements are left out."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    return [part for part in parts if isinstance(part, dict) and _is_valid_part(part)]


def _is_valid_part(part: Record) -> bool:
    return isinstance(part.get("type"), str) and (part["type"] not in TEXT_PARTS or isinstance(part.get("text"), str))


def _time(record: Record) -> datetime | None:
    return next((at for name in TIMES if (at := parsing.parse_time(record.get(name))) is not None), None)

"""Parses messages in the form of chat APIs: one conversation or one message per line, or an array of either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import count

from aforesaid.interop.chat_import.exported_chat import (
    NO_TEXT,
    UNKNOWN,
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    parse_time,
    valid_id,
)
from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS

ROLES = {"developer": "system", "function": "tool", "human": "user", "ai": "assistant", "model": "assistant"}
TIMES = ("created_at", "timestamp", "create_time", "at", "time", "date")
BATCH = 500  # messages of a file that holds one conversation, handed on at once

Record = Mapping[str, Json]


def chats(elements: Iterator[Json], file: str) -> Iterator[ExportItem]:
    """Each object with `messages` is a conversation; bare messages are one, named after the file."""
    number, place = count(1), 0
    waiting: list[ExportedMessage] = []
    for element in elements:
        line = next(number)
        if isinstance(element, dict) and isinstance(element.get("messages"), list):
            yield from _conversation(element, f"chat:{file}:{line}")
            continue
        found = _parse_message(element)
        if isinstance(found, SkippedItems):
            yield found
            continue
        waiting.append(found)
        if len(waiting) == BATCH:
            yield ExportedChat(f"chat:{file}", "chat", waiting, first=place)
            place, waiting = place + BATCH, []
    if waiting:
        yield ExportedChat(f"chat:{file}", "chat", waiting, first=place)


def _conversation(record: Record, otherwise: str) -> Iterator[ExportItem]:
    found = [_parse_message(message) for message in record["messages"]]
    yield from (one for one in found if isinstance(one, SkippedItems))
    names = (valid_id(record.get(name)) for name in ("conversation_id", "conversation", "id"))
    title = record.get("title")
    yield ExportedChat(
        next((name for name in names if name), otherwise),
        "chat",
        [one for one in found if isinstance(one, ExportedMessage)],
        title if isinstance(title, str) and title.strip() else None,
        _time(record),
    )


def _parse_message(message: Json) -> ExportedMessage | SkippedItems:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return SkippedItems(UNKNOWN)
    role: str = message["role"]
    calls = message.get("tool_calls")
    said = ExportedMessage(
        ROLES.get(role, role),
        _content(message.get("content")),
        valid_id(message.get("id")),
        _time(message),
        valid_id(message.get("name")),
        [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else None,
        valid_id(message.get("tool_call_id")),
    )
    return SkippedItems(NO_TEXT) if said.is_empty else said


def _content(content: Json) -> str | list[Record]:
    """Text, or parts; what stands among parts and is none is left out."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    return [part for part in parts if isinstance(part, dict) and _is_valid_part(part)]


def _is_valid_part(part: Record) -> bool:
    return isinstance(part.get("type"), str) and (part["type"] not in TEXT_PARTS or isinstance(part.get("text"), str))


def _time(record: Record) -> datetime | None:
    return next((at for name in TIMES if (at := parse_time(record.get(name))) is not None), None)

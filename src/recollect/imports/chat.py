"""Chat messages as chat APIs have them: a conversation a line, a message a line, or an array of either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import count

from recollect.imports.exported import NO_TEXT, UNKNOWN, Aside, Chat, Found, Said
from recollect.imports.names import named
from recollect.imports.when import moment
from recollect.models import TEXT_PARTS, Json

ROLES = {"developer": "system", "function": "tool", "human": "user", "ai": "assistant", "model": "assistant"}
TIMES = ("created_at", "timestamp", "create_time", "at", "time", "date")
STRETCH = 500  # messages of a file that holds one conversation, handed on at once

Record = Mapping[str, Json]


def chats(elements: Iterator[Json], file: str) -> Iterator[Found]:
    """Each object with `messages` is a conversation; bare messages are one, named after the file."""
    number, place = count(1), 0
    waiting: list[Said] = []
    for element in elements:
        line = next(number)
        if isinstance(element, dict) and isinstance(element.get("messages"), list):
            yield from _conversation(element, f"chat:{file}:{line}")
            continue
        found = _said(element)
        if isinstance(found, Aside):
            yield found
            continue
        waiting.append(found)
        if len(waiting) == STRETCH:
            yield Chat(f"chat:{file}", "chat", waiting, first=place)
            place, waiting = place + STRETCH, []
    if waiting:
        yield Chat(f"chat:{file}", "chat", waiting, first=place)


def _conversation(record: Record, otherwise: str) -> Iterator[Found]:
    found = [_said(message) for message in record["messages"]]
    yield from (one for one in found if isinstance(one, Aside))
    names = (named(record.get(name)) for name in ("conversation_id", "conversation", "id"))
    title = record.get("title")
    yield Chat(
        next((name for name in names if name), otherwise),
        "chat",
        [one for one in found if isinstance(one, Said)],
        title if isinstance(title, str) and title.strip() else None,
        _time(record),
    )


def _said(message: Json) -> Said | Aside:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return Aside(UNKNOWN)
    role: str = message["role"]
    calls = message.get("tool_calls")
    said = Said(
        ROLES.get(role, role),
        _content(message.get("content")),
        named(message.get("id")),
        _time(message),
        named(message.get("name")),
        [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else None,
        named(message.get("tool_call_id")),
    )
    return Aside(NO_TEXT) if said.wordless else said


def _content(content: Json) -> str | list[Record]:
    """Text, or parts; what stands among parts and is none is left out."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    parts = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    return [part for part in parts if isinstance(part, dict) and _sound(part)]


def _sound(part: Record) -> bool:
    return isinstance(part.get("type"), str) and (part["type"] not in TEXT_PARTS or isinstance(part.get("text"), str))


def _time(record: Record) -> datetime | None:
    return next((at for name in TIMES if (at := moment(record.get(name))) is not None), None)

"""Parses the values of exports: ids, titles, times and message trees. An invalid value is None or empty."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from aforesaid.models.json import Json
from aforesaid.text.validate import LARGEST_NAME, LONGEST_NAME

Key = TypeVar("Key", bound=Hashable)


def valid_id(value: Json) -> str | None:
    """The id or name; None if it is not valid."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() and _fits_name(value) else None


def _fits_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and len(name.encode(errors="replace")) <= LARGEST_NAME


def stable_id(*parts: Json) -> str:
    """An id derived from the parts: the same parts give the same id."""
    written = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:32]


def valid_title(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def as_object(value: Json) -> Mapping[str, Json]:
    """The value if it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """The value if it is a list; else an empty one."""
    return value if isinstance(value, list) else []


def pick_fields(records: Sequence[Json], names: Sequence[str]) -> list[Json]:
    """The named fields of each object whose value is a text or a number."""
    objects = [record for record in records if isinstance(record, dict)]
    return [{name: each[name] for name in names if isinstance(each.get(name), str | int)} for each in objects]


def tool_call(id: Json, name: Json, arguments: Json) -> dict[str, Json]:
    """A tool call in the format of chat APIs, with its arguments as text."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return {"id": str(id or ""), "type": "function", "function": {"name": str(name or ""), "arguments": text}}


def result_text(value: Json) -> str:
    """The result of a tool as text: a text, the texts of content parts, or JSON."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else as_list(as_object(value).get("content"))
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return "\n\n".join(texts) if texts or value in (None, []) else json.dumps(value, ensure_ascii=False)


def matches_fields(record: Json, fields: Mapping[str, type | tuple[type, ...]]) -> bool:
    """Returns True for an object with all of the fields, each of the type."""
    return isinstance(record, dict) and all(isinstance(record.get(name), kind) for name, kind in fields.items())


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_FROM = 100_000_000_000  # as seconds, this would be the year 5138


def parse_time(value: Json) -> datetime | None:
    """Parses a time; UTC if it has no zone. Returns None if it is not a time."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return EPOCH + timedelta(seconds=value / 1000 if value > MILLISECONDS_FROM else value)
        if not isinstance(value, str):
            return None
        time = datetime.fromisoformat(value)
        return time.replace(tzinfo=UTC) if time.utcoffset() is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class TreeFields:
    """The fields of messages that name their parent, and the parent of the first message."""

    id: str
    parent: str
    time: str
    root: str


def newest_messages(messages: Sequence[Mapping[str, Json]], fields: TreeFields) -> list[Mapping[str, Json]]:
    """The messages up to the newest leaf, in their order: of edits and retries, the one that was continued.

    A message without a known parent follows the message before it.
    """
    places = {message[fields.id]: at for at, message in enumerate(messages) if isinstance(message.get(fields.id), str)}
    newest_first = range(len(messages) - 1, -1, -1)
    parents = {at: _parent(messages[at].get(fields.parent), at, places, fields.root) for at in newest_first}
    path = newest_branch(parents, {at: messages[at].get(fields.time) for at in newest_first})
    return [messages[at] for at in path]


def _parent(parent: Json, at: int, places: Mapping[str, int], root: str) -> int | None:
    if parent == root:
        return None
    before = at - 1 if at > 0 else None
    return places.get(parent, before) if isinstance(parent, str) else before


def newest_branch(parents: Mapping[Key, Key | None], times: Mapping[Key, Json], last: Key | None = None) -> list[Key]:
    """The keys from the root of a message tree to `last`, or to the newest leaf, the first of several. A cycle is
    followed once."""
    inner = set(parents.values())
    leaves = [key for key in parents if key not in inner] or list(parents)
    key = last if last is not None else max(leaves, key=lambda leaf: parse_time(times[leaf]) or EPOCH, default=None)
    path: dict[Key, None] = {}
    while key is not None and key not in path:
        path[key] = None
        key = parents[key]
    return list(reversed(path))

"""Reads values from JSON of any shape. A missing value is None or empty, never an error."""

from __future__ import annotations

import json
from collections.abc import Iterable

from aforesaid.models.json import Json
from aforesaid.replies.sse import ServerSentEvent

MOST_TOKENS = 1 << 40  # a larger number is not believed


def parse_json(data: str) -> Json:
    """The JSON value of a text; None if it is invalid."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def get_path(value: Json, *path: str | int) -> Json:
    """The value at a path of names and indexes; None if there is none."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def get_text(value: Json, *path: str | int) -> str:
    """The text at a path; empty if there is none."""
    text = get_path(value, *path)
    return text if isinstance(text, str) else ""


def get_list(value: Json, *path: str | int) -> list[Json]:
    """The list at a path; empty if there is none."""
    items = get_path(value, *path)
    return items if isinstance(items, list) else []


def event_kind(body: Json, event: ServerSentEvent) -> str:
    """The type of an event: that of its data, else its name; empty for incomplete data."""
    return get_text(body, "type") or (event.name if isinstance(body, dict) else "")


def sum_tokens(*numbers: Json) -> int | None:
    """The sum of the valid token counts; None if there is none."""
    known = [number for number in numbers if type(number) is int and 0 <= number <= MOST_TOKENS]
    return sum(known) if known else None


def join_text(pieces: Iterable[str]) -> str:
    """The pieces as one text. Joins a surrogate pair that was split; a lone surrogate becomes U+FFFD."""
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

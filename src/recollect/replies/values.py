"""What is looked up in JSON that may have any shape."""

from __future__ import annotations

import json
from collections.abc import Iterable

from recollect.models import Json
from recollect.replies.sse import Event

MOST = 1 << 40  # tokens; a larger number is nonsense


def parsed(data: str) -> Json:
    """The JSON in a text; None where there is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def at(value: Json, *path: str | int) -> Json:
    """What stands at a path of names and places; None where nothing does."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def word(value: Json, *path: str | int) -> str:
    """The text at a path; empty where there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def items(value: Json, *path: str | int) -> list[Json]:
    """The list at a path; empty where there is none."""
    found = at(value, *path)
    return found if isinstance(found, list) else []


def kind_of(body: Json, event: Event) -> str:
    """What an event is: as its data says, or its name. Data that broke off is nothing."""
    return word(body, "type") or (event.name if isinstance(body, dict) else "")


def tokens(*numbers: Json) -> int | None:
    """The sum of those that are numbers of tokens; None where none is."""
    known = [number for number in numbers if type(number) is int and 0 <= number <= MOST]
    return sum(known) if known else None


def whole(pieces: Iterable[str]) -> str:
    """The text that the pieces make. A pair of surrogates may have been cut in two; half a pair becomes U+FFFD."""
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

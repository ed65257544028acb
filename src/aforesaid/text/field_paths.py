"""Paths to fields of a JSON value: `title`, `author.name`, `list[0]`, `list[-1].x`, `list[*].x`, `*`, and `$` for the
whole value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.text import validate

WHOLE = "$"
EVERY = "*"
_STEP = re.compile(r"\[(\*|-?\d{1,9})\]|([^.\[\]]+)")

Step = str | int | None  # a name, a position in a list, or None for every element


@lru_cache(maxsize=1000)
def parse_path(path: str, what: str) -> tuple[Step, ...]:
    """Raises InvalidInput if it is no path."""
    if validate.name(path, what) == WHOLE:
        return ()
    steps: list[Step] = []
    at = 0
    while at < len(path):
        at += path[at] == "." and at > 0
        step = _STEP.match(path, at)
        if step is None:
            raise InvalidInput(f"{what} {path!r} is no path; write it as title, author.name, list[0] or list[*].x")
        index, name = step.groups()
        steps.append(None if EVERY in (index, name) else name if index is None else int(index))
        at = step.end()
    return tuple(steps)


def searched_fields(index: bool | Sequence[str] | None) -> tuple[str, ...] | None:
    """The fields to search; None for the text, or every text in the value."""
    if index is None or index is True:
        return None
    if index is False:
        return ()
    fields = validate.sequence(index, "index")
    for path in fields:
        parse_path(path, "a field of index")
    return fields


def values_at(value: Json, steps: tuple[Step, ...]) -> Iterator[Json]:
    """The values at a path, in order; none if there is no such field."""
    if not steps:
        yield value
        return
    step, *rest = steps
    inner: list[Json] = []
    if isinstance(step, str):
        inner = [value[step]] if isinstance(value, dict) and step in value else []
    elif step is None:
        inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    elif isinstance(value, list) and -len(value) <= step < len(value):
        inner = [value[step]]
    for each in inner:
        yield from values_at(each, tuple(rest))


def field_values(value: Json, path: str) -> list[Json]:
    """The values of a field. A key that is written like the whole path has precedence."""
    if isinstance(value, dict) and path in value:
        return [value[path]]
    return list(values_at(value, parse_path(path, "a field")))


def searched_text(value: Json, text: str | None, fields: tuple[str, ...] | None) -> str:
    """The text of a value to index: the text of these fields, else `text`, else every text in it."""
    if fields is not None:
        found = (each for path in fields for each in field_values(value, path))
        joined = "\n".join(filter(None, map(_field_text, found)))
    else:
        joined = "\n".join(_texts(value)) if text is None else text
    return joined if joined.strip() else ""


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _field_text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

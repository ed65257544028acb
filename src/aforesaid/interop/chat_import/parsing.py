"""Parses the values of exports: ids, titles, times and message trees. An invalid value is None or empty."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
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

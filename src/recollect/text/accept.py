"""What recollect takes: checked once, at the door, with an error that says what to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeGuard

from recollect.errors import InvalidInput
from recollect.models import Json

LONGEST_NAME = 1024


def name(value: str, what: str) -> str:
    """A name or id: any text of 1 to 1,024 characters that UTF-8 can carry."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(f"{what} is empty; give it at least one visible character")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value)} characters; {LONGEST_NAME} is the most")
    return text(value, what)


def text(value: str, what: str) -> str:
    """Text that every store can keep: no NUL character, no lone surrogate."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}")
    if "\0" in value:
        raise InvalidInput(
            f"{what} has a NUL character at position {value.index(chr(0))}; "
            "remove it first, for example with text.replace('\\0', '')"
        )
    try:
        value.encode()
    except UnicodeEncodeError as exc:
        raise InvalidInput(
            f"{what} has half a surrogate pair at position {exc.start}; "
            "decode the bytes it came from with errors='replace'"
        ) from exc
    return value


def words(value: str, what: str) -> str:
    """Text with something in it."""
    if not text(value, what).strip():
        raise InvalidInput(f"{what} is empty or only white space; there is nothing to remember")
    return value


def share(value: float, what: str) -> float:
    """A number from 0 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InvalidInput(f"{what} must be a number from 0 to 1, not {value!r}")
    return float(value)


def count(value: int, what: str, least: int = 1) -> int:
    """A whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidInput(f"{what} must be a whole number of at least {least}, not {value!r}")
    return value


def moment(value: datetime | str, what: str) -> datetime:
    """A point in time as UTC: an aware datetime, or ISO text with an offset."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as exc:
            raise InvalidInput(f"{what} {value!r} is not a time; write it as 2026-03-01T09:30:00+01:00") from exc
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} must be a datetime or ISO text, not {type(value).__name__}")
    if value.utcoffset() is None:
        raise InvalidInput(
            f"{what} {value.isoformat()} has no time zone; say which one, for example "
            "datetime(…, tzinfo=UTC) or '2026-03-01T09:30:00+01:00'"
        )
    try:
        return value.astimezone(UTC)
    except OverflowError as exc:
        raise InvalidInput(f"{what} {value.isoformat()} lies outside the years 1 to 9999 in UTC") from exc


def record(value: Mapping[str, Json] | None, what: str) -> dict[str, Json]:
    """A JSON object, as a copy that nobody else can change."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} must be a mapping, not {type(value).__name__}")
    copy = _json_copy(dict(value), what)
    if not _is_record(copy):
        raise InvalidInput(f"{what} must be a mapping")
    return copy


def records(value: Json, what: str) -> list[dict[str, Json]]:
    """A list of JSON objects, as a copy that nobody else can change."""
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{what} must be a list of mappings, not {type(value).__name__}")
    return [record(item, f"{what}[{at}]") for at, item in enumerate(value)]


def written(value: Json) -> str:
    """JSON as it is stored, counted and sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json_copy(value: Json, what: str) -> Json:
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as exc:
        raise InvalidInput(f"{what} cannot be written as JSON: {exc}") from exc
    if "\\u0000" in written:
        raise InvalidInput(f"{what} has a NUL character; remove it first")
    return json.loads(text(written, what))


def _is_record(value: Json) -> TypeGuard[dict[str, Json]]:
    return isinstance(value, dict)

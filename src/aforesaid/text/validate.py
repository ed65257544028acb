"""Validates input once, at the public API. Each error says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from types import UnionType
from typing import TypeVar

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS

LONGEST_NAME = 1024
LARGEST_NAME = 2560  # bytes; an index entry of PostgreSQL has at most 2,704, with the other columns
LONGEST_FILE = 255  # characters of a file name
UNIT_SEPARATOR = "\x1f"  # between the segments of a namespace, in the stores
LARGEST = 2**53  # the largest integer that JSON represents exactly everywhere
DEEPEST = 200  # levels of nesting
LARGEST_JSON = 1 << 24  # bytes of a JSON text that is kept as it is
DAY = re.compile(r"\d{4}-\d\d-\d\d")
DURATION = re.compile(r"(\d{1,9})([smhdw])")
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
NEVER = "never"
ITEM_ENTRY = ("key", "value", "namespace", "text", "index", "expires", "replaces")  # the fields of an item to store

T = TypeVar("T", bound=str)


def name(value: str, what: str) -> str:
    """A name or id: any text of 1 to 1,024 characters that UTF-8 can encode."""
    if not text(value, what).strip():
        raise InvalidInput(f"{what} is empty; give it at least one visible character")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value)} characters; {LONGEST_NAME} is the most")
    return value


def new_name(value: str, what: str) -> str:
    """The name or id of a new record: at most 2,560 bytes, so that every store can index it."""
    size = len(name(value, what).encode())
    if size > LARGEST_NAME:
        raise InvalidInput(f"{what} {value[:20]!r}… has {size} bytes in UTF-8; a new name has at most {LARGEST_NAME}")
    return value


def namespace(value: str | Iterable[str]) -> tuple[str, ...]:
    """The segments of a namespace: any names. Text is one segment."""
    segments = (value,) if isinstance(value, str) else sequence(value, "a namespace")
    for segment in segments:
        name(segment, "a segment of a namespace")
        if UNIT_SEPARATOR in segment:
            raise InvalidInput(f"the segment {segment!r} of a namespace has the character U+001F; remove it")
    size = sum(len(segment.encode()) + 1 for segment in segments)
    if size > LARGEST_NAME:
        raise InvalidInput(f"a namespace has {size} bytes in UTF-8; it has at most {LARGEST_NAME}, with its key")
    return segments


def new_container_name(value: str, what: str) -> str:
    """The name of a new space or conversation, which must work in a URL."""
    if value in (".", ".."):
        raise InvalidInput(f"a {what} cannot be called {value!r}, because a URL treats it as a folder; add a letter")
    return new_name(value, what)


def text(value: str, what: str) -> str:
    """Text that every store can save: no NUL character, no lone surrogate."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}")
    if "\0" in value:
        advice = "remove it, for example with text.replace('\\0', '')"
        raise InvalidInput(f"{what} has a NUL character at position {value.index(chr(0))}; {advice}")
    try:
        value.encode()
    except UnicodeEncodeError as exc:
        advice = "decode the original bytes with errors='replace'"
        raise InvalidInput(f"{what} has half a surrogate pair at position {exc.start}; {advice}") from exc
    return value


def folder(value: str | Path) -> Path:
    if not isinstance(value, str | Path):
        raise InvalidInput(f"the folder must be named by text or a path, not {type(value).__name__}")
    return Path(text(str(value), "the folder"))


def file_name(value: str) -> str:
    """The name of a file, without its folders. The file need not exist."""
    last = PurePosixPath(name(value, "the file's name")).name
    if len(last) > LONGEST_FILE:
        raise InvalidInput(f"the file's name has {len(last)} characters; {LONGEST_FILE} is the most")
    return name(last, "the file's name")


def non_blank(value: str, what: str) -> str:
    """Text with at least one visible character."""
    if not text(value, what).strip():
        raise InvalidInput(f"{what} is empty or only white space; give it at least one visible character")
    return value


def share(value: float, what: str) -> float:
    return _number(value, 0, 1, f"{what} must be a number from 0 to 1")


def signed_share(value: float, what: str) -> float:
    return _number(value, -1, 1, f"{what} must be a number from -1 to 1")


def amount(value: float, what: str) -> float:
    return _number(value, 0, LARGEST, f"{what} must be a number of at least 0")


def _number(value: float, least: float, most: float, advice: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInput(f"{advice}, not {value!r}")
    return float(value)


def count(value: int, what: str, least: int = 1) -> int:
    """A whole number from `least` to the largest that every store can save."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LARGEST:
        raise InvalidInput(f"{what} must be a whole number from {least} to {LARGEST}, not {value!r}")
    return value


def choice(value: str, among: Sequence[T], what: str) -> T:
    for known in among:
        if value == known:
            return known
    raise InvalidInput(f"{what} must be one of {', '.join(map(str, among))}, not {value!r}")


def moment(value: datetime | str, what: str) -> datetime:
    """A time in UTC, from an aware datetime or ISO text with an offset."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as exc:
            raise InvalidInput(f"{what} {value!r} is not a time; write it as 2026-03-01T09:30:00+01:00") from exc
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} must be a datetime or ISO text, not {type(value).__name__}")
    if value.utcoffset() is None:
        example = "datetime(…, tzinfo=UTC) or '2026-03-01T09:30:00+01:00'"
        raise InvalidInput(f"{what} {value.isoformat()} has no time zone; add one, for example {example}")
    try:
        return value.astimezone(UTC)
    except OverflowError as exc:
        raise InvalidInput(f"{what} {value.isoformat()} is outside the years 1 to 9999 in UTC") from exc


def day_edge(value: datetime | str, what: str, *, begins: bool = False) -> datetime:
    """A time, or a day in UTC as `2026-03-01`: its end, or with `begins` its start."""
    if not isinstance(value, str) or DAY.fullmatch(value.strip()) is None:
        return moment(value, what)
    return moment(value.strip() + ("T00:00:00Z" if begins else "T23:59:59.999999Z"), what)


def expiry(value: datetime | timedelta | str, what: str, since: datetime) -> datetime | None:
    """When a record of the time `since` expires; None for the word `never`. A duration, such as timedelta(days=30) or
    `30d`, counts from `since`. A day, such as `2026-03-01`, means its end in UTC."""
    if isinstance(value, str) and value.strip() == NEVER:
        return None
    length = duration(value)
    if length is None:
        if isinstance(value, timedelta) or not isinstance(value, str | datetime):
            raise InvalidInput(f"{what} must be a datetime, a timedelta, or text such as '30d' or 'never'")
        at = day_edge(value, what)
    else:
        try:
            at = since + length
        except OverflowError as exc:
            raise InvalidInput(f"{what} {value} is too long; for no expiry, use 'never'") from exc
    if at <= since:
        raise InvalidInput(f"{what} {at.isoformat()} is not later than {since.isoformat()}, the time of the record")
    return at


def duration(value: object) -> timedelta | None:
    """A duration, such as timedelta(days=30) or `30d`; None for anything else."""
    if isinstance(value, str) and (written := DURATION.fullmatch(value.strip())):
        return timedelta(**{UNITS[written[2]]: int(written[1])})
    return value if isinstance(value, timedelta) else None


def offset(value: datetime | str) -> int:
    """The UTC offset, in seconds, of a value that `moment` accepts."""
    time = datetime.fromisoformat(value) if isinstance(value, str) else value
    return int((time.utcoffset() or timedelta()).total_seconds())


def record(value: Mapping[str, Json] | None, what: str) -> dict[str, Json]:
    """A JSON object, as a deep copy."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} must be a mapping, not {type(value).__name__}")
    _check_json(value, what)
    try:
        return dict(json.loads(json.dumps(dict(value), ensure_ascii=False, allow_nan=False)))
    except (TypeError, ValueError) as exc:
        raise InvalidInput(f"{what} cannot be written as JSON: {exc}") from exc


def records(value: Json, what: str) -> list[dict[str, Json]]:
    """A list of JSON objects, as a deep copy."""
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{what} must be a list of mappings, not {type(value).__name__}")
    for at, item in enumerate(value):
        if not isinstance(item, Mapping):
            raise InvalidInput(f"{what}[{at}] must be a mapping, not {type(item).__name__}")
    return [record(item, f"{what}[{at}]") for at, item in enumerate(value)]


def json_text(value: str, what: str) -> str:
    """JSON text, which stays as it is."""
    size = len(text(value, what).encode())
    if size > LARGEST_JSON:
        raise InvalidInput(f"{what} has {size} bytes; {LARGEST_JSON} are the most. Store large files elsewhere")
    try:
        level = [json.loads(value, parse_int=str, parse_constant=_no_constant)]
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{what} is not JSON: {exc}; pass the text that json.dumps returns") from exc
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _nested(outer)]
        if not level:
            return value
    raise InvalidInput(f"{what} is nested more than {DEEPEST} levels deep")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _nested(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def parts(value: Json, what: str) -> list[dict[str, Json]]:
    """The parts of a message. Each text part must have a text."""
    valid = records(value, what)
    for at, part in enumerate(valid):
        if part.get("type") in TEXT_PARTS:
            text(part.get("text", 0), f"{what}[{at}].text")
    return valid


def item_entry(entry: Mapping[str, Json]) -> Mapping[str, Json]:
    """An item to store: a mapping with the arguments of `put`, and perhaps a namespace."""
    instance_of(entry, Mapping, "an entry must be a mapping with a key and a value")
    for name in entry:
        choice(name, ITEM_ENTRY, "a field of an entry")
    if "key" not in entry or "value" not in entry:
        raise InvalidInput("an entry has no key or no value; write {'key': …, 'value': …}")
    return entry


def item_key(namespace: tuple[str, ...], key: str) -> str:
    """The key of an item: with its namespace, it fits into an index entry."""
    size = len(name(key, "key").encode()) + sum(len(segment.encode()) + 1 for segment in namespace)
    if size > LARGEST_NAME:
        raise InvalidInput(
            f"key {key[:20]!r}… and its namespace have {size} bytes in UTF-8; {LARGEST_NAME} is the most"
        )
    return key


def json_value(value: Json, what: str) -> str:
    """The JSON text of any value that JSON can represent: numbers are finite, and keys are text."""
    _check_json(value, what)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as exc:
        raise InvalidInput(f"{what} cannot be written as JSON: {exc}") from exc


def compact_json(value: Json) -> str:
    """JSON as the store saves it, the tokenizer counts it, and a request sends it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _check_json(value: Json, what: str) -> None:
    """Raises InvalidInput for keys that are not text, for text that no store can save, and for deep nesting."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _children(outer, what)]
        if not level:
            return
    raise InvalidInput(f"{what} cannot be written as JSON: it is nested more than {DEEPEST} levels deep")


def _children(value: Json, what: str) -> Iterable[Json]:
    if isinstance(value, str):
        text(value, what)
    elif isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InvalidInput(f"{what} has the key {key!r}, which JSON would change; use text")
            text(key, what)
        return value.values()
    elif isinstance(value, list | tuple):
        return value
    return ()


V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., object])


def with_methods(value: V, what: str, *verbs: str) -> V:
    """An object of the caller with these attributes."""
    if not all(hasattr(value, verb) for verb in verbs):
        names = " and ".join(f"`{verb}`" for verb in verbs)
        raise InvalidInput(f"{what} must be a name, or an object with {names}, not {type(value).__name__}")
    return value


def function(value: F, what: str) -> F:
    if not callable(value):
        raise InvalidInput(f"{what} must be a function, not {type(value).__name__}")
    return value


def instance_of(value: V, kind: type | UnionType, advice: str) -> V:
    """An object of this type; `advice` is the start of the error message."""
    if not isinstance(value, kind):
        raise InvalidInput(f"{advice}, not {type(value).__name__}")
    return value


def sequence(value: Iterable[V], what: str) -> tuple[V, ...]:
    """A list or another iterable. Rejects text and mappings."""
    if isinstance(value, str):
        raise InvalidInput(f"{what} must be a list, such as [{value[:40]!r}]")
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(value)

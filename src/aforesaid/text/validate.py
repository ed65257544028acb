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
LARGEST_NAME = 2560  # bytes; an index of PostgreSQL takes 2,704 with what stands beside the name
LONGEST_FILE = 255  # characters that a file's name may have
LARGEST = 2**53  # what JSON carries exactly everywhere
DEEPEST = 200  # levels of nesting
DAY = re.compile(r"\d{4}-\d\d-\d\d")

T = TypeVar("T", bound=str)


def name(value: str, what: str) -> str:
    """A name or id: any text of 1 to 1,024 characters that UTF-8 can carry."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(f"{what} is empty; give it at least one visible character")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value)} characters; {LONGEST_NAME} is the most")
    return text(value, what)


def new_name(value: str, what: str) -> str:
    """A name or id that something is to be stored under: of at most 2,560 bytes, so that every store can find it."""
    size = len(name(value, what).encode())
    if size > LARGEST_NAME:
        raise InvalidInput(
            f"{what} {value[:20]!r}… has {size} bytes in UTF-8; {LARGEST_NAME} is the most that something new may have"
        )
    return value


def new_container_name(value: str, what: str) -> str:
    """The name of a new space or conversation: one that an address can carry."""
    if value in (".", ".."):
        raise InvalidInput(
            f"a {what} cannot be called {value!r}: whatever reads an address takes it for a folder; add a letter"
        )
    return new_name(value, what)


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


def folder(value: str | Path) -> Path:
    """A place in the file system that can be named."""
    if not isinstance(value, str | Path):
        raise InvalidInput(f"the folder must be named by text or a path, not {type(value).__name__}")
    return Path(text(str(value), "the folder"))


def file_name(value: str) -> str:
    """What a file is called, without the folders before it. Nothing is opened by it."""
    last = PurePosixPath(name(value, "the file's name")).name
    if len(last) > LONGEST_FILE:
        raise InvalidInput(f"the file's name has {len(last)} characters; {LONGEST_FILE} is the most")
    return name(last, "the file's name")


def non_blank(value: str, what: str) -> str:
    """Text with something in it."""
    if not text(value, what).strip():
        raise InvalidInput(f"{what} is empty or only white space; give it at least one visible character")
    return value


def share(value: float, what: str) -> float:
    """A number from 0 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InvalidInput(f"{what} must be a number from 0 to 1, not {value!r}")
    return float(value)


def signed_share(value: float, what: str) -> float:
    """A number from −1 to 1."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not -1 <= value <= 1:
        raise InvalidInput(f"{what} must be a number from -1 to 1, not {value!r}")
    return float(value)


def amount(value: float, what: str) -> float:
    """A number that is not negative."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise InvalidInput(f"{what} must be a number of at least 0, not {value!r}")
    return float(value)


def count(value: int, what: str, least: int = 1) -> int:
    """A whole number of at least `least`, small enough for any store."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LARGEST:
        raise InvalidInput(f"{what} must be a whole number from {least} to {LARGEST}, not {value!r}")
    return value


def choice(value: str, among: Sequence[T], what: str) -> T:
    """One of the known words."""
    for known in among:
        if value == known:
            return known
    raise InvalidInput(f"{what} must be one of {', '.join(map(str, among))}, not {value!r}")


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


def day_edge(value: datetime | str, what: str, *, begins: bool = False) -> datetime:
    """A moment, or a day in UTC as `2026-03-01`: its end, or where the day `begins`."""
    if not isinstance(value, str) or DAY.fullmatch(value.strip()) is None:
        return moment(value, what)
    return moment(value.strip() + ("T00:00:00Z" if begins else "T23:59:59.999999Z"), what)


def offset(value: datetime | str) -> int:
    """How many seconds east of UTC a point in time was given; for what `moment` takes."""
    given = datetime.fromisoformat(value) if isinstance(value, str) else value
    return int((given.utcoffset() or timedelta()).total_seconds())


def record(value: Mapping[str, Json] | None, what: str) -> dict[str, Json]:
    """A JSON object, as a copy that nobody else can change."""
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
    """A list of JSON objects, as a copy that nobody else can change."""
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{what} must be a list of mappings, not {type(value).__name__}")
    for at, item in enumerate(value):
        if not isinstance(item, Mapping):
            raise InvalidInput(f"{what}[{at}] must be a mapping, not {type(item).__name__}")
    return [record(item, f"{what}[{at}]") for at, item in enumerate(value)]


def parts(value: Json, what: str) -> list[dict[str, Json]]:
    """A message's parts; those of text have some."""
    found = records(value, what)
    for at, part in enumerate(found):
        if part.get("type") in TEXT_PARTS:
            text(part.get("text", 0), f"{what}[{at}].text")
    return found


def compact_json(value: Json) -> str:
    """JSON as it is stored, counted and sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _check_json(value: Json, what: str) -> None:
    """Refuses what JSON would change or no store could keep: odd keys, bad text, endless nesting."""
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
    """An object of the caller's own that can do what is asked of it."""
    if not all(hasattr(value, verb) for verb in verbs):
        wanted = " and ".join(f"`{verb}`" for verb in verbs)
        raise InvalidInput(f"{what} must be a name, or an object with {wanted}, not {type(value).__name__}")
    return value


def function(value: F, what: str) -> F:
    if not callable(value):
        raise InvalidInput(f"{what} must be a function, not {type(value).__name__}")
    return value


def instance_of(value: V, kind: type | UnionType, advice: str) -> V:
    """An object of this kind; `advice` says what to give."""
    if not isinstance(value, kind):
        raise InvalidInput(f"{advice}, not {type(value).__name__}")
    return value


def sequence(value: Iterable[V], what: str) -> tuple[V, ...]:
    """A list of things. A text is one thing, and a mapping none of these."""
    if isinstance(value, str):
        raise InvalidInput(f"{what} must be a list, such as [{value[:40]!r}]")
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(value)

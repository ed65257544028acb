"""Values as JSON and back: arguments of a request, and the records of an answer by the types of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from functools import cache, partial
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.text import validate

Read = Callable[[Json], Any]

SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1}


def encode(value: Any) -> Json:  # noqa: ANN401, PLR0911 (any argument)
    """An argument as JSON. A message is named by its id, a duration is written as in `30d`."""
    if isinstance(value, Message):
        return value.id
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return written(value)
    if isinstance(value, PathLike):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return validate.record(value, "a mapping")
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        return [encode(part) for part in value]
    return value


def written(duration: timedelta) -> str:
    """A duration in the largest unit that divides it. REST has whole seconds."""
    if duration.microseconds:
        raise InvalidInput(f"over a server, a duration has whole seconds; {duration} has a fraction")
    whole = duration.days * SECONDS["d"] + duration.seconds
    unit = next(unit for unit, size in SECONDS.items() if whole % size == 0)
    return f"{whole // SECONDS[unit]}{unit}"


def decode(kind: Any, value: Json) -> Any:  # noqa: ANN401 (a type, and a value of it)
    """The value of a type that the server wrote as JSON. Fields that this version does not know are ignored."""
    return reader(kind)(value)


@cache
def reader(kind: Any) -> Read:  # noqa: ANN401, PLR0911 (a type)
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        some = [one for one in of if one is not NoneType]
        if len(some) > 1:  # text or numbers, or JSON
            return _same
        return partial(_optional, reader(some[0]))
    if kind is datetime:
        return datetime.fromisoformat
    if kind is float:
        return _float
    if is_dataclass(kind):
        return _record(kind)
    if origin is tuple and of[-1:] != (...,):
        return partial(_pair, [reader(one) for one in of])
    if origin is not None and isinstance(origin, type) and issubclass(origin, tuple):
        return partial(_items, tuple, reader(of[0]))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_values, reader(of[1]))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence):
        return partial(_items, list, reader(of[0]))
    return _same


def _record(kind: Any) -> Read:  # noqa: ANN401 (a dataclass)
    """Reads the fields when it is first used: the types of a record can contain each other."""

    @cache
    def readers() -> Mapping[str, Read]:
        hints = get_type_hints(kind)
        return {field.name: reader(hints[field.name]) for field in fields(kind)}

    def read(record: Json) -> Any:  # noqa: ANN401 (a value of `kind`)
        return kind(**{name: read(record[name]) for name, read in readers().items() if name in record})

    return read


def _same(value: Json) -> Json:
    return value


def _float(value: Json) -> float:
    return float(value)


def _optional(read: Read, value: Json) -> Any:  # noqa: ANN401
    return None if value is None else read(value)


def _pair(reads: Sequence[Read], value: Json) -> tuple[Any, ...]:
    return tuple(read(part) for read, part in zip(reads, value, strict=True))


def _items(make: Callable[[Any], Any], read: Read, value: Json) -> Any:  # noqa: ANN401
    return make(map(read, value))


def _values(read: Read, value: Json) -> dict[str, Any]:
    return {name: read(part) for name, part in value.items()}

"""Converts values to columns and back: times to microseconds, collections to JSON, whole records field by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from aforesaid.errors import StoreDamaged
from aforesaid.ids import EPOCH, microseconds
from aforesaid.models.json import Json
from aforesaid.storage.database import Row
from aforesaid.text.similarity import comparison_key

T = TypeVar("T")
Convert = Callable[[Any], Any]
Conversions = tuple[tuple[str, Convert, Convert], ...]  # each field, how to read it and how to write it
# The columns of a record, how to get them from a row or a record, and those that are converted.
FieldPlan = tuple[tuple[str, ...], Convert, tuple[tuple[str, Convert], ...]]

NO_LIMIT = 2**62  # microseconds; later than every time that can be stored


def from_row(record: type[T], row: Row, **values: Any) -> T:  # noqa: ANN401
    """Makes a record. Each field is read from the column of its name, unless it is one of `values`. Raises StoreDamaged
    if a column has what no writer stores."""
    names, get, converted = _reading(record, tuple(values))
    read: dict[str, Any] = dict(zip(names, get(row), strict=True))
    try:
        for name, convert in converted:
            read[name] = convert(read[name])
        return record(**read, **values)
    except (TypeError, ValueError, OverflowError) as exc:
        raise unreadable(record.__name__, row) from exc


def unreadable(record: str, row: Row) -> StoreDamaged:
    id = getattr(row, "id", None)
    name = f"{record} {id!r}" if isinstance(id, str) else f"a {record}"
    return StoreDamaged(
        f"{name} cannot be read: the store is damaged; run `aforesaid doctor`", table=record.lower(), id=str(id)
    )


def to_columns(record: object, *without: str) -> dict[str, Json]:
    """Returns the fields of a record as columns of the same names, except those in `without`."""
    names, get, converted = _writing(type(record), without)
    columns: dict[str, Json] = dict(zip(names, get(record), strict=True))
    for name, convert in converted:
        columns[name] = convert(columns[name])
    return columns


def _find_conversions(record: type) -> Conversions:
    hints = get_type_hints(record)
    return tuple((field.name, *_conversion(hints[field.name])) for field in fields(record))


_conversions: Callable[[type], Conversions] = cache(_find_conversions)


def _find_reading(record: type, given: tuple[str, ...]) -> FieldPlan:
    return _plan({name: convert for name, convert, _ in _conversions(record) if name not in given})


def _find_writing(record: type, without: tuple[str, ...]) -> FieldPlan:
    return _plan({name: convert for name, _, convert in _conversions(record) if name not in without})


def _plan(converts: dict[str, Convert]) -> FieldPlan:
    names = tuple(converts)
    get: Convert = attrgetter(*names) if len(names) > 1 else lambda one: tuple(getattr(one, name) for name in names)
    return names, get, tuple((name, convert) for name, convert in converts.items() if convert is not _same)


_reading: Callable[[type, tuple[str, ...]], FieldPlan] = cache(_find_reading)
_writing: Callable[[type, tuple[str, ...]], FieldPlan] = cache(_find_writing)


def _conversion(hint: Any) -> tuple[Convert, Convert]:  # noqa: ANN401
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        read, write = _conversion(kinds[0])
        return (_same, _same) if read is _same else (_unless_none(read), _unless_none(write))
    kind = get_origin(hint) or hint
    if kind is datetime:
        return moment, microseconds
    if kind is tuple:
        return _tuple, json_text
    if kind is bool:
        return bool, int
    if isinstance(kind, type) and not issubclass(kind, (str, int, float)):
        return json.loads, json_text
    return _same, _same


def _unless_none(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _same(value: T) -> T:
    return value


def _tuple(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


def moment(at: int) -> datetime:
    return EPOCH + timedelta(microseconds=at)


def window(since: datetime | None, until: datetime | None) -> dict[str, int]:
    """The bounds of a query over time; None is no bound."""
    return {
        "since": -NO_LIMIT if since is None else microseconds(since),
        "until": NO_LIMIT if until is None else microseconds(until),
    }


def json_text(value: Any) -> str:  # noqa: ANN401 (a mapping or a list of what JSON has)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_or_none(value: Json) -> str | None:
    """None for an empty value."""
    return json_text(value) if value else None


def key_or_none(text: str | None) -> str | None:
    return None if text is None else comparison_key(text)

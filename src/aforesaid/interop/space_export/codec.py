"""Converts dataclasses to JSON records and back. An error names the field and says what it must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from functools import cache, partial
from types import NoneType
from typing import TYPE_CHECKING, Literal, TypeVar, get_args, get_origin, get_type_hints

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.text import validate

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
JsonRecord = Mapping[str, Json]
Check = Callable[[Json, str], object]  # the value and the name of a field → the valid value


def encode(value: DataclassInstance, *left_out: str) -> dict[str, Json]:
    """The fields of a dataclass by name."""
    return {field.name: getattr(value, field.name) for field in fields(value) if field.name not in left_out}


def decode(kind: Callable[..., T], record: JsonRecord, checks: Mapping[str, Check] = {}, **known: object) -> T:
    """A dataclass from the fields of a record. Each field is validated by its check, or by the type of the field.

    A field that can be None may be missing. `known` fields are not read from the record."""
    values = dict(known)
    for name, (check, optional) in _checks(kind).items():
        if name not in known:
            absent = optional and record.get(name) is None
            values[name] = None if absent else checks.get(name, check)(required(record, name), name)
    return kind(**values)


def required(record: JsonRecord, name: str) -> Json:
    if name not in record:
        raise InvalidInput(f"a record has no {name!r}")
    return record[name]


def required_name(record: JsonRecord, field: str) -> str:
    """A field that has a name or an id."""
    return validate.name(required(record, field), field)


def texts(value: Json, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(validate.text(each, what) for each in value)


def one_of(*known: str) -> Check:
    return lambda value, name: validate.choice(value, known, name)


def _boolean(value: Json, what: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} must be true or false")
    return value


TYPE_CHECKS: Mapping[object, Check] = {
    str: validate.text,
    int: partial(validate.count, least=0),
    float: validate.share,
    bool: _boolean,
    datetime: validate.moment,
    tuple[str, ...]: texts,
    list[dict[str, Json]]: validate.records,
    Mapping[str, Json]: validate.record,
}


@cache
def _checks(kind: Callable[..., object]) -> dict[str, tuple[Check, bool]]:
    """The check of each field, and whether the field can be None."""
    return {name: _check(hint) for name, hint in get_type_hints(kind).items()}


def _check(hint: object) -> tuple[Check, bool]:
    optional = NoneType in get_args(hint)
    kind = get_args(hint)[0] if optional else hint
    check = one_of(*get_args(kind)) if get_origin(kind) is Literal else TYPE_CHECKS.get(kind, _no_check)
    return check, optional


def _no_check(_: Json, name: str) -> object:
    raise TypeError(f"the field {name!r} needs a check of its own")

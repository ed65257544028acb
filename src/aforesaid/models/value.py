"""The base of all public values: `to_dict` and `from_dict`, by the annotations of the fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json

T = TypeVar("T")
Encode = Callable[[Any], Json]
Decode = Callable[[Json, "Place"], Any]


class Value:
    """A frozen value that can be written as JSON and read again."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Json]:
        """The value as JSON values, for `json.dumps`: times are ISO texts, tuples are lists. `from_dict` is the
        inverse."""
        return encode(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Json]) -> Self:
        """The value that `to_dict` has written. Raises InvalidInput if a field is unknown, missing or of another
        type."""
        return decode(cls, record)


def encode(value: object, *left_out: str) -> dict[str, Json]:
    """The fields of a dataclass as JSON values, except those in `left_out`."""
    return {name: write(getattr(value, name)) for name, write in _encoders(type(value)) if name not in left_out}


def decode(kind: type[T], record: Mapping[str, Json], *, lenient: bool = False, **known: object) -> T:
    """A dataclass from JSON values. `known` fields are not read. With `lenient`, which is for what other versions have
    written, unknown fields are ignored, and a missing field has its default."""
    return _decode(kind, record, Place(kind.__name__, lenient), known)


class Place(NamedTuple):
    """Where a value is, for an error, and how to read it."""

    name: str
    lenient: bool

    def inside(self, name: str) -> Place:
        return Place(f"{self.name}{name}", self.lenient)


def _decode(kind: type[T], record: Json, at: Place, known: Mapping[str, object]) -> T:
    if not isinstance(record, Mapping):
        raise InvalidInput(f"{at.name} must be an object, not {_type_name(record)}")
    values, decoders = dict(known), _decoders(kind)
    for field, (read, optional) in decoders.items():
        if field in known:
            continue
        if field in record:
            values[field] = read(record[field], at.inside(f".{field}"))
        elif not (at.lenient and optional):
            raise InvalidInput(f"{at.name} has no field {field!r}")
    if not at.lenient:
        unknown = [field for field in record if field not in decoders or field in known]
        if unknown:
            raise InvalidInput(f"{at.name} has an unknown field {unknown[0]!r}; known: {', '.join(decoders)}")
    return kind(**values)


# Encoding


def _find_encoders(kind: type) -> list[tuple[str, Encode]]:
    hints = get_type_hints(kind)
    return [(field.name, _encoder(hints[field.name])) for field in fields(kind)]


_encoders: Callable[[type], list[tuple[str, Encode]]] = cache(_find_encoders)


def _encoder(hint: object) -> Encode:
    return _same if _scalar(hint) else _encode_any


def _scalar(hint: object) -> bool:
    """Returns True for a type whose values are JSON values that nobody can change."""
    if get_origin(hint) in (Union, UnionType):
        return all(_scalar(one) for one in get_args(hint))
    return get_origin(hint) is Literal or hint in (str, int, float, bool, NoneType)


def _encode_any(value: object) -> Json:
    if isinstance(value, Value):
        return value.to_dict()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _encode_any(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encode_any(inner) for inner in value]
    return encode(value) if is_dataclass(value) else value


def _same(value: T) -> T:
    return value


# Decoding


def _find_decoders(kind: type) -> dict[str, tuple[Decode, bool]]:
    hints = get_type_hints(kind)
    return {field.name: (_decoder(hints[field.name]), _has_default(field)) for field in fields(kind)}


_decoders: Callable[[type], dict[str, tuple[Decode, bool]]] = cache(_find_decoders)


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _decoder(hint: Any) -> Decode:  # noqa: ANN401 (an annotation)
    origin, arguments = get_origin(hint), get_args(hint)
    for kind, make in GENERICS.items():
        if origin is kind or _is_sub(origin, kind):
            return make(arguments)
    return _nested(hint) if is_dataclass(hint) else SCALARS.get(hint, _any)


def _is_sub(origin: object, kind: object) -> bool:
    return isinstance(origin, type) and isinstance(kind, type) and issubclass(origin, kind)


def _nested(kind: Any) -> Decode:  # noqa: ANN401 (a dataclass)
    return lambda value, at: _decode(kind, value, at, {})


def _union(kinds: tuple[Any, ...]) -> Decode:
    """Of several dataclasses, the one with the fields that are there."""
    nullable, kinds = NoneType in kinds, tuple(kind for kind in kinds if kind is not NoneType)
    if len(kinds) == 1:
        only = _decoder(kinds[0])
        return lambda value, at: None if value is None and nullable else only(value, at)
    shapes = {frozenset(field.name for field in fields(kind)): _decoder(kind) for kind in kinds if is_dataclass(kind)}
    others = [_decoder(kind) for kind in kinds if not is_dataclass(kind)]

    def read(value: Json, at: Place) -> object:
        if value is None and nullable:
            return None
        if isinstance(value, Mapping) and frozenset(value) in shapes:
            return shapes[frozenset(value)](value, at)
        for other in others:
            with suppress(InvalidInput):
                return other(value, at)
        names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)
        raise InvalidInput(f"{at.name} must be one of {names}; this {_type_name(value)} is none of them")

    return read


def _one_of(choices: tuple[Json, ...]) -> Decode:
    def read(value: Json, at: Place) -> Json:
        if value not in choices:
            raise InvalidInput(f"{at.name} must be one of {', '.join(map(str, choices))}, not {value!r}")
        return value

    return read


def _tuple(kinds: tuple[object, ...]) -> Decode:
    """`tuple[X, ...]`, or a tuple of a fixed length."""
    items = [_decoder(kind) for kind in kinds if kind is not ...]
    open_ended = kinds[-1] is ...

    def read(value: Json, at: Place) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidInput(f"{at.name} must be a list, not {_type_name(value)}")
        reads = items * len(value) if open_ended else items
        if len(reads) != len(value):
            raise InvalidInput(f"{at.name} must have {len(items)} items, not {len(value)}")
        pairs = enumerate(zip(reads, value, strict=True))
        return tuple(item(each, at.inside(f"[{number}]")) for number, (item, each) in pairs)

    return read


def _list(kinds: tuple[object, ...]) -> Decode:
    items = _tuple((*kinds, ...))
    return lambda value, at: list(items(value, at))


def _mapping(kinds: tuple[object, ...]) -> Decode:
    inner = _decoder(kinds[1])

    def read(value: Json, at: Place) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InvalidInput(f"{at.name} must be an object, not {_type_name(value)}")
        return {key: inner(each, at.inside(f".{key}")) for key, each in value.items()}

    return read


def _time(value: Json, at: Place) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError) as exc:
        raise InvalidInput(f"{at.name} must be a time such as 2026-03-01T09:30:00+00:00, not {value!r}") from exc
    if moment.utcoffset() is None:
        raise InvalidInput(f"{at.name} {value!r} has no offset; write it as 2026-03-01T09:30:00+00:00")
    return moment


def _plain(kind: type, what: str) -> Decode:
    def read(value: Json, at: Place) -> Json:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise InvalidInput(f"{at.name} must be {what}, not {_type_name(value)}")
        return value

    return read


_whole = _plain(int, "a whole number")


def _number(value: Json, at: Place) -> float:
    return value if isinstance(value, float) else float(_whole(value, at))


def _any(value: Json, _: Place) -> Json:
    return _encode_any(value)  # a copy


GENERICS: Mapping[object, Callable[[tuple[Any, ...]], Decode]] = {
    Union: _union,
    UnionType: _union,
    Literal: _one_of,
    tuple: _tuple,
    list: _list,
    Mapping: _mapping,
}
SCALARS: Mapping[object, Decode] = {
    str: _plain(str, "text"),
    int: _whole,
    float: _number,
    bool: _plain(bool, "true or false"),
    datetime: _time,
}


def _type_name(value: object) -> str:
    return "null" if value is None else type(value).__name__

"""Filters over the values of items.

    {"theme": "dark", "priority": {"$gte": 3}}             both must hold
    {"$or": [{"theme": "dark"}, {"tags[*]": {"$in": ["a", "b"]}}]}

A key is a path to a field, as text/field_paths.py describes. Numbers compare with numbers and texts with texts; other
pairs never match, and NaN equals nothing. An object matches if its fields do, a list if all of its elements do. `$ne`,
`$nin` and `$not` also match an item without the field, and so does null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import ge, gt, le, lt
from typing import Any

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.text import validate
from aforesaid.text.field_paths import field_values, parse_path

Matches = Callable[[Json], bool]
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
OPERATORS = ("$eq", "$ne", *COMPARISONS, "$in", "$nin", "$exists", "$not")
GROUPS = ("$and", "$or", "$not")
MAX_DEPTH = 20


def parse_item_filter(value: Mapping[str, Json]) -> Matches:
    """The function that says whether a value matches. Raises InvalidInput if the filter is not valid."""
    return _filter(value, 1)


def required_text(value: Mapping[str, Json]) -> str | None:
    """A JSON text that is part of every value that matches the filter; None if there may be none."""
    texts = [
        one.get("$eq") if isinstance(one, Mapping) else one for key, one in value.items() if not key.startswith("$")
    ]
    return max((validate.compact_json(text) for text in texts if isinstance(text, str)), key=len, default=None)


def _filter(value: Json, depth: int) -> Matches:
    if not isinstance(value, Mapping):
        raise InvalidInput(f'filter must be a mapping such as {{"theme": "dark"}}, not {value!r}')
    if depth > MAX_DEPTH:
        raise InvalidInput(f"filter is nested more than {MAX_DEPTH} levels deep")
    parts = [_group(key, one, depth) if key in GROUPS else _field(key, one, depth) for key, one in value.items()]
    return parts[0] if len(parts) == 1 else partial(_all, parts)


def _group(key: str, value: Json, depth: int) -> Matches:
    if key == "$not":
        return partial(_no, _filter(value, depth + 1))
    if not isinstance(value, list | tuple) or not value:
        raise InvalidInput(f'filter: {key} takes a list of filters: {{"{key}": [{{"theme": "dark"}}, …]}}')
    parts = [_filter(one, depth + 1) for one in value]
    return partial(_all if key == "$and" else _any, parts)


def _field(path: str, value: Json, depth: int) -> Matches:
    if validate.name(path, "filter: a field").startswith("$") and path != "$":
        raise InvalidInput(f"filter: there is no {path!r}; use {', '.join(GROUPS)}, or the path of a field")
    condition = _condition(path, value, depth)
    if path.isidentifier():
        return lambda item: condition([item[path]] if isinstance(item, dict) and path in item else [])
    parse_path(path, "filter: a field")
    return lambda item: condition(field_values(item, path))


def _condition(path: str, value: Json, depth: int) -> Callable[[Sequence[Json]], bool]:
    """A condition on the values of a field; there are none if an item has no such field."""
    operators = [key for key in value if isinstance(key, str) and key.startswith("$")] if _is_object(value) else []
    if not operators:
        return partial(_has, value)
    if len(operators) < len(value):
        raise InvalidInput(f"filter: {path!r} has operators and fields; use one of {', '.join(OPERATORS)} for each")
    parts = [_operator(path, name, value[name], depth) for name in operators]
    return parts[0] if len(parts) == 1 else partial(_all, parts)


def _operator(path: str, name: str, operand: Json, depth: int) -> Callable[[Sequence[Json]], bool]:
    if name in ("$eq", "$ne"):
        equal = partial(_has, operand)
        return equal if name == "$eq" else partial(_no, equal)
    if name in ("$in", "$nin"):
        if not isinstance(operand, list | tuple):
            raise InvalidInput(
                f'filter: {path!r} has {name} with {operand!r}; give it a list: {{"{name}": ["a", "b"]}}'
            )
        within = partial(_any, [partial(_has, one) for one in operand])
        return within if name == "$in" else partial(_no, within)
    if name in COMPARISONS:
        if isinstance(operand, bool) or not isinstance(operand, int | float | str):
            raise InvalidInput(f"filter: {path!r} has {name} with {operand!r}; compare a number or a text")
        return partial(_compares, COMPARISONS[name], operand)
    if name == "$exists":
        if not isinstance(operand, bool):
            raise InvalidInput(f"filter: {path!r} has $exists with {operand!r}; use true or false")
        return lambda values: bool(values) == operand
    if name == "$not" and _is_object(operand) and depth < MAX_DEPTH:
        return partial(_no, _condition(path, operand, depth + 1))
    raise InvalidInput(f"filter: {path!r} has the operator {name!r}; use one of {', '.join(OPERATORS)}")


def _is_object(value: Json) -> bool:
    return isinstance(value, Mapping)


def _all(parts: Sequence[Matches], value: Json) -> bool:
    return all(part(value) for part in parts)


def _any(parts: Sequence[Matches], value: Json) -> bool:
    return any(part(value) for part in parts)


def _no(part: Matches, value: Json) -> bool:
    return not part(value)


def _has(operand: Json, values: Sequence[Json]) -> bool:
    """One of the values equals the operand. A field that is missing is null."""
    return any(_equal(value, operand) for value in values) or (operand is None and not values)


def _compares(compare: Callable[[Any, Any], bool], operand: Json, values: Sequence[Json]) -> bool:
    return any(compare(value, operand) for value in values if _comparable(value, operand))


def _comparable(value: Json, operand: Json) -> bool:
    if isinstance(operand, str):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: Json, operand: Json) -> bool:
    if isinstance(operand, Mapping):
        return isinstance(value, dict) and all(
            _equal(value[key], one) if key in value else one is None for key, one in operand.items()
        )
    if isinstance(operand, list | tuple):
        return isinstance(value, list) and len(value) == len(operand) and all(map(_equal, value, operand))
    return isinstance(value, bool) == isinstance(operand, bool) and bool(value == operand)

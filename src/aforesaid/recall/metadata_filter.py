"""Filters over metadata: parses a filter, and finds the messages that match it.

    {"topic": "billing", "priority": {"$gte": 3}}          both must hold
    {"$or": [{"topic": "billing"}, {"conversation.team": {"$in": ["sales", "support"]}}]}

A key is a field of a message's metadata; `conversation.` before it is for the metadata of the conversation. A dot goes
into an object: `customer.city`. A list matches if one of its elements does. `$ne`, `$nin` and `$not` also match a
message without the field, and so does null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from aforesaid.errors import InvalidInput
from aforesaid.models.index import Directory, MetadataCondition
from aforesaid.models.json import Json
from aforesaid.recall.bm25 import Mask, Positions
from aforesaid.text import validate

CONVERSATION = "conversation."
COMPARISONS: Mapping[str, Literal["gt", "gte", "lt", "lte"]] = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}
FIELD_OPERATORS = ("$eq", "$ne", *COMPARISONS, "$in", "$nin", "$exists", "$not")
GROUPS = ("$and", "$or", "$not")
MAX_CONDITIONS = 1000
MAX_DEPTH = 20

Matching = Callable[[MetadataCondition], Positions]  # the keys of the records that satisfy a condition


@dataclass(frozen=True, slots=True)
class FilterGroup:
    """`and`: all parts match; `or`: one of them does; `not`: none of them does."""

    operator: Literal["and", "or", "not"]
    parts: tuple[FilterNode, ...]


FilterNode = MetadataCondition | FilterGroup


def parse_filter(value: Mapping[str, Json]) -> FilterNode | None:
    """None if the filter is empty. Raises InvalidInput, with what to write instead, if it is not valid."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f'filter must be a mapping such as {{"topic": "billing"}}, not {type(value).__name__}')
    node = _filter(value, 1)
    if _count(node) > MAX_CONDITIONS:
        raise InvalidInput(f"filter has {_count(node)} conditions; {MAX_CONDITIONS} is the most")
    return node if value else None


def matching_messages(node: FilterNode, directory: Directory, matching: Matching) -> Mask:
    """The messages of a directory that match a filter."""
    if isinstance(node, MetadataCondition):
        column = directory.messages if node.record == "message" else directory.conversations
        return np.isin(column, matching(node))
    result = np.full(len(directory), node.operator == "and")
    for part in node.parts:
        mask = matching_messages(part, directory, matching)
        result = result & mask if node.operator == "and" else result | mask
    return ~result if node.operator == "not" else result


def _filter(value: Json, depth: int) -> FilterNode:
    if not isinstance(value, Mapping):
        raise InvalidInput(f'filter: {value!r} must be a mapping such as {{"topic": "billing"}}')
    if depth > MAX_DEPTH:
        raise InvalidInput(f"filter is nested more than {MAX_DEPTH} levels deep")
    parts = tuple(_group(key, one, depth) if key in GROUPS else _field(key, one, depth) for key, one in value.items())
    return parts[0] if len(parts) == 1 else FilterGroup("and", parts)


def _group(key: str, value: Json, depth: int) -> FilterNode:
    if key == "$not":
        return FilterGroup("not", (_filter(value, depth + 1),))
    if not isinstance(value, list | tuple) or not value:
        raise InvalidInput(f'filter: {key} takes a list of filters: {{"{key}": [{{"topic": "billing"}}, …]}}')
    return FilterGroup("and" if key == "$and" else "or", tuple(_filter(one, depth + 1) for one in value))


def _field(key: str, value: Json, depth: int) -> FilterNode:
    field = validate.name(key, "filter: a field")
    if field.startswith("$"):
        raise InvalidInput(f"filter: there is no {field!r}; use {', '.join(GROUPS)}, or the name of a field")
    if not isinstance(value, Mapping):
        return _condition(field, "$eq", value, depth)
    if not value:
        raise InvalidInput(f"filter: {field!r} has no condition; use one of {', '.join(FIELD_OPERATORS)}")
    parts = tuple(_condition(field, operator, operand, depth) for operator, operand in value.items())
    return parts[0] if len(parts) == 1 else FilterGroup("and", parts)


def _condition(field: str, operator: str, operand: Json, depth: int) -> FilterNode:
    if operator == "$eq":
        return _is_null(field) if operand is None else _compare(field, "eq", operand)
    if operator in ("$ne", "$nin"):
        return _not(_condition(field, "$eq" if operator == "$ne" else "$in", operand, depth))
    if operator in COMPARISONS:
        if isinstance(operand, bool):
            raise InvalidInput(f"filter: {field!r} has {operator} with {operand!r}; compare a number or a text")
        return _compare(field, COMPARISONS[operator], operand)
    if operator == "$in":
        if not isinstance(operand, list | tuple):
            raise InvalidInput(f'filter: {field!r} has $in with {operand!r}; give it a list: {{"$in": ["a", "b"]}}')
        return FilterGroup("or", tuple(_condition(field, "$eq", one, depth) for one in operand))
    if operator == "$exists":
        if not isinstance(operand, bool):
            raise InvalidInput(f"filter: {field!r} has $exists with {operand!r}; use true or false")
        return _exists(field) if operand else _not(_exists(field))
    if operator == "$not" and isinstance(operand, Mapping):
        if depth >= MAX_DEPTH:
            raise InvalidInput(f"filter is nested more than {MAX_DEPTH} levels deep")
        return _not(_field(field, operand, depth + 1))
    example = 'for a field of an object, write {"object.field": …}'
    raise InvalidInput(
        f"filter: {field!r} has the operator {operator!r}; use one of {', '.join(FIELD_OPERATORS)}; {example}"
    )


def _compare(field: str, operator: Literal["eq", "gt", "gte", "lt", "lte"], operand: Json) -> FilterNode:
    if isinstance(operand, list | tuple):
        raise InvalidInput(f'filter: {field!r} is compared with a list; use {{"{field}": {{"$in": […]}}}}')
    if isinstance(operand, str):
        value: str | float | bool = validate.text(operand, f"filter: the value of {field!r}")
    elif isinstance(operand, bool):
        value = operand
    elif isinstance(operand, int | float) and _is_finite(operand):
        value = float(operand)
    else:
        raise InvalidInput(f"filter: {field!r} is compared with {operand!r}; use a text, a number, true or false")
    return _on(field, operator, value)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int that no float can hold
        return False


def _exists(field: str) -> FilterNode:
    return _on(field, "exists", None)


def _is_null(field: str) -> FilterNode:
    """Null, or no such field."""
    return FilterGroup("or", (_not(_exists(field)), _on(field, "eq", None)))


def _on(
    field: str, operator: Literal["eq", "gt", "gte", "lt", "lte", "exists"], value: str | float | bool | None
) -> MetadataCondition:
    if field.startswith(CONVERSATION) and field != CONVERSATION:
        return MetadataCondition("conversation", field.removeprefix(CONVERSATION), operator, value)
    return MetadataCondition("message", field, operator, value)


def _not(node: FilterNode) -> FilterGroup:
    return FilterGroup("not", (node,))


def _count(node: FilterNode) -> int:
    return 1 if isinstance(node, MetadataCondition) else sum(map(_count, node.parts))

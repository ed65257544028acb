"""Reads and validates the fields of a JSON record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.text import validate


def required(record: Mapping[str, Json], name: str) -> Json:
    if name not in record:
        raise InvalidInput(f"a record has no {name!r}")
    return record[name]


def text_or_none(record: Mapping[str, Json], name: str) -> str | None:
    value = record.get(name)
    return None if value is None else validate.text(value, name)


def texts(value: Json, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(validate.text(each, what) for each in value)


def required_time(record: Mapping[str, Json], name: str) -> datetime:
    return validate.moment(required(record, name), name)


def time_or_none(record: Mapping[str, Json], name: str) -> datetime | None:
    value = record.get(name)
    return None if value is None else validate.moment(value, name)


def to_json_values(record: Mapping[str, Json]) -> dict[str, Json]:
    """Values as JSON has them: times as ISO text."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in record.items()}

"""What the fields of a JSON record say, checked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.models import Json
from recollect.text import accept


def needed(record: Mapping[str, Json], name: str) -> Json:
    if name not in record:
        raise InvalidInput(f"a record has no {name!r}")
    return record[name]


def text_or_none(record: Mapping[str, Json], name: str) -> str | None:
    value = record.get(name)
    return None if value is None else accept.text(value, name)


def texts(value: Json, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(accept.text(each, what) for each in value)


def moment(record: Mapping[str, Json], name: str) -> datetime:
    return accept.moment(needed(record, name), name)


def moment_or_none(record: Mapping[str, Json], name: str) -> datetime | None:
    value = record.get(name)
    return None if value is None else accept.moment(value, name)


def written(record: Mapping[str, Json]) -> dict[str, Json]:
    """Values as JSON has them: times as ISO text."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in record.items()}

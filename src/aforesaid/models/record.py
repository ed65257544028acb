"""Records: facts of a schema that the owner of a space defines. The value of such a fact is a JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from aforesaid.models.fact import Evidence, Fact, FactStatus
from aforesaid.models.json import Json
from aforesaid.models.value import Value, encode

T = TypeVar("T")

SLOT = "record: "  # begins the attribute of a record with a key
USER = "user"
MOST_SHOWN = 9_000  # characters of a record as text


@dataclass(frozen=True, slots=True)
class Schema(Value):
    """What a model extracts from the messages of a space: objects that fit `json_schema`, as `instructions` ask.

    `key` are the fields that identify a record: a later statement about the same one updates it. With an empty key,
    each person has one record. Without a key (None), every record is new.
    """

    name: str
    json_schema: Mapping[str, Json]
    instructions: str
    key: tuple[str, ...] | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Record(Value, Generic[T]):
    """A stored record: its value, and the fact that holds it, with its evidence and history."""

    schema: str
    value: T
    fact: Fact

    @property
    def id(self) -> str:
        """The id of the fact, for `promote`, `reject`, `undo` and the other methods of facts."""
        return self.fact.id

    @property
    def status(self) -> FactStatus:
        return self.fact.status

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.fact.evidence

    def to_dict(self) -> dict[str, Json]:
        """The record as JSON values. `from_dict` reads the value as a dict."""
        return encode(self, "value") | {"value": json.loads(self.fact.value or "{}")}


def is_stated(value: Json) -> bool:
    """Returns False for null and for an empty text, list or object: these say nothing."""
    return value is not None and value not in ("", [], {})


def record_json(value: Mapping[str, Json]) -> str:
    """The stored form of a record."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def record_subject(schema: Schema, value: Mapping[str, Json]) -> str:
    """What identifies a record: the values of its key in lower case, or else the person who states it."""
    if not schema.key:
        return USER
    words = (str(each if isinstance(each := value.get(name), str) else json.dumps(each)) for name in schema.key)
    return ", ".join(" ".join(word.casefold().split()) for word in words)


def merge_records(values: Sequence[str | None]) -> str:
    """One record from several statements about it, the oldest first: what a later one states, it replaces."""
    merged: dict[str, Json] = {}
    for value in values:
        stated: dict[str, Json] = json.loads(value or "{}")
        merged |= {name: each for name, each in stated.items() if is_stated(each) or name not in merged}
    return record_json(merged)


def record_text(schema: str, value: str) -> str:
    """A record as text, such as "Task: title Buy milk; due 2026-05-01"."""
    fields = "; ".join(f"{name} {_shown(each)}" for name, each in json.loads(value).items() if is_stated(each))
    return f"{schema}: {fields}"[:MOST_SHOWN]


def _shown(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items() if is_stated(each))
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())

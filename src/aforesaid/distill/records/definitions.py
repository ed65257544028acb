"""Makes a schema from a pydantic model, a dataclass, a typed dictionary or JSON, and keeps those of a space."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from aforesaid.errors import InvalidInput
from aforesaid.models.fact import Fact
from aforesaid.models.json import Json
from aforesaid.models.record import Record, Schema
from aforesaid.ports import Clock
from aforesaid.storage.store import Store
from aforesaid.text import validate
from aforesaid.text.schemas import (
    PREFERENCE,
    check_instructions,
    check_key,
    check_schema,
    parse_schema,
    schema_name,
    stored_schema,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
STEP = "records"
MOST_SCHEMAS = 20  # of a space: all are part of each prompt


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of each space. They are stored with its preferences, so every process extracts them."""

    store: Store
    clock: Clock

    def all(self, space: str) -> dict[str, Schema]:
        preferences = self.store.preferences.all(space)
        names = sorted(name for name in preferences if name.startswith(PREFERENCE))
        schemas = (parse_schema(name.removeprefix(PREFERENCE), preferences[name]) for name in names)
        return {schema.name: schema for schema in schemas}

    def learn(self, space: str, schema: Schema, *, past: bool) -> Schema:
        """Stores a schema. Without `past`, messages that are stored already are not read for the first schema."""
        known = self.all(space)
        if schema.name not in known and len(known) >= MOST_SCHEMAS:
            raise InvalidInput(f"space {space!r} has {MOST_SCHEMAS} schemas, which is the most; unlearn one first")
        self.store.preferences.set(space, PREFERENCE + schema.name, stored_schema(schema), self.clock())
        if past or not known:
            self.store.progress.begin(space, STEP, past=past)
        return schema

    def unlearn(self, space: str, name: str) -> bool:
        return self.store.preferences.unset(space, PREFERENCE + name)


def define(
    schema: type | Mapping[str, Json], instructions: str, name: str | None, key: Sequence[str] | None, now: datetime
) -> Schema:
    """The schema of a type, or the given JSON schema, whose `title` is the default of `name`."""
    json_schema = check_schema(schema if isinstance(schema, Mapping) else _adapter(schema).json_schema())
    own_name = schema.__name__ if isinstance(schema, type) else json_schema.get("title", "")
    return Schema(
        schema_name(own_name if name is None else name),
        json_schema,
        check_instructions(instructions),
        None if key is None else check_key(key, json_schema),
        now,
    )


def schema_id(schema: type | str) -> str:
    """The name of a schema, given as its type or by name."""
    if isinstance(schema, type):
        return schema_name(schema.__name__)
    return schema_name(schema)


def reader(schema: type[T] | str) -> Callable[[Fact], Record[Any]]:
    """Makes records from facts: with a value of the type, or a dictionary if the schema is given by name."""
    if not isinstance(schema, type):
        return lambda fact: Record(fact.schema or "", json.loads(fact.value or "{}"), fact)
    adapter = _adapter(schema)
    from pydantic import ValidationError

    def read(fact: Fact) -> Record[Any]:
        try:
            return Record(fact.schema or "", adapter.validate_json(fact.value or "{}"), fact)
        except ValidationError as exc:
            raise InvalidInput(
                f"record {fact.id!r} does not fit {schema.__name__}: {exc.errors()[0]['msg']}; reject or edit it, or "
                f"read the records by name: records({fact.schema!r})"
            ) from exc

    return read


def _adapter(schema: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    validate.instance_of(schema, type, "a schema is a pydantic model, a dataclass, a TypedDict, or a JSON schema")
    try:
        return TypeAdapter(schema)
    except PydanticUserError as exc:
        raise InvalidInput(f"{schema.__name__} cannot be a schema: {exc}") from exc

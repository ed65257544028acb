from typing import Literal

import pytest
from pydantic import BaseModel, Field

from aforesaid.providers.json_modes import LEFT_OUT, strict_schema


class Inner(BaseModel):
    title: str = Field(default="x", max_length=5)
    kind: Literal["a", "b"] | None = None


class Outer(BaseModel):
    inner: Inner
    many: list[Inner] = Field(min_length=1, max_length=3)
    pattern: float = Field(ge=0, le=1)


def schemas(value):
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from schemas(each)
    elif isinstance(value, list):
        for each in value:
            yield from schemas(each)


@pytest.mark.req("C12")
def test_every_object_requires_all_its_properties_and_forbids_others():
    made = strict_schema(Outer.model_json_schema())
    objects = [schema for schema in schemas(made) if "type" in schema and "properties" in schema]
    assert len(objects) == 2
    for each in objects:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_constraints_are_removed_and_fields_with_their_names_are_kept():
    made = strict_schema(Outer.model_json_schema())
    assert made["properties"]["pattern"] == {"type": "number"}
    assert made["properties"]["many"] == {"type": "array", "items": {"$ref": "#/$defs/Inner"}}
    assert made["$defs"]["Inner"]["properties"]["title"] == {"type": "string"}
    assert "title" not in made
    assert LEFT_OUT.isdisjoint(made["properties"]["inner"])


def test_the_given_schema_is_not_modified():
    given = Outer.model_json_schema()
    strict_schema(given)
    assert given == Outer.model_json_schema()

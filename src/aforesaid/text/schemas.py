"""JSON schemas of an owner's own records: the subset that is understood, validation, and the stored form.

What pydantic writes for models, dataclasses and typed dictionaries is understood, without `dict` keys of a pattern. A
schema with another keyword is refused, so that nothing is stored that it forbids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.models.record import Schema
from aforesaid.text import validate

PREFERENCE = "schema:"  # begins the name of the preference that holds a schema
LARGEST = 20_000  # characters of a schema
LONGEST_INSTRUCTIONS = 2_000  # characters
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
_NOTES = frozenset(
    {
        "$schema", "$id", "$comment", "title", "description", "default", "examples", "discriminator", "deprecated",
        "readOnly", "writeOnly", "format", "contentMediaType", "contentEncoding",
    }
)  # fmt: skip
_NESTED = frozenset({"items", "additionalProperties"})
_NAMED = frozenset({"properties", "$defs"})
_LISTS = frozenset({"anyOf", "oneOf", "allOf"})
_CHECKS = frozenset(
    {
        "type", "enum", "const", "required", "$ref", "minLength", "maxLength", "pattern", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties",
        "maxProperties",
    }
)  # fmt: skip
_REF = "#/$defs/"
_DEEPEST: Final = 50  # levels of a value

JsonSchema = Mapping[str, Json]


def check_schema(schema: Json) -> dict[str, Json]:
    """A JSON schema of an object. Raises InvalidInput for what is not understood."""
    valid = validate.record(schema, "a schema")
    if len(json.dumps(valid, ensure_ascii=False)) > LARGEST:
        raise InvalidInput(f"a schema has at most {LARGEST:,} characters as JSON; make it smaller")
    for keyword, value in _keywords(valid, "the schema"):
        _check_keyword(keyword, value, valid)
    top = resolve(valid, valid)
    if top.get("type") != "object" or not isinstance(top.get("properties"), dict) or not top["properties"]:
        raise InvalidInput("a schema must describe an object with properties, such as a pydantic model")
    return valid


def _keywords(schema: Json, where: str) -> Iterator[tuple[str, Json]]:
    """All keywords of a schema and the schemas in it."""
    if schema is True or schema is False:
        return
    if not isinstance(schema, dict):
        raise InvalidInput(f"{where} must be a JSON schema, not {schema!r}")
    for keyword, value in schema.items():
        if keyword in _NAMED:
            for name, inner in validate.record(value, keyword).items():
                yield from _keywords(inner, name)
        elif keyword in _LISTS:
            if not isinstance(value, list) or not value:
                raise InvalidInput(f"{keyword} in {where} must be a list of schemas")
            for inner in value:
                yield from _keywords(inner, where)
        elif keyword in _NESTED:
            yield from _keywords(value, where)
        elif keyword in _CHECKS:
            yield keyword, value
        elif keyword not in _NOTES:
            raise InvalidInput(f"the keyword {keyword!r} in {where} is not supported; write the schema without it")


def _check_keyword(keyword: str, value: Json, root: JsonSchema) -> None:
    if keyword == "$ref":
        known = root.get("$defs", {})
        if not isinstance(value, str) or not value.startswith(_REF) or value.removeprefix(_REF) not in known:
            raise InvalidInput(f"$ref {value!r} must name one of the schema's own $defs")
    elif keyword == "type":
        kinds = value if isinstance(value, list) else [value]
        if not kinds or any(not isinstance(kind, str) or kind not in _TYPES for kind in kinds):
            raise InvalidInput(f"the type {value!r} must be one of {', '.join(_TYPES)}")
    elif keyword in ("enum", "required"):
        if not isinstance(value, list):
            raise InvalidInput(f"{keyword} must be a list, not {value!r}")
    elif keyword == "pattern":
        try:
            re.compile(value)
        except (re.error, TypeError) as exc:
            raise InvalidInput(f"the pattern {value!r} is not a regular expression: {exc}") from exc
    elif keyword not in ("const", "uniqueItems") and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise InvalidInput(f"{keyword} must be a number, not {value!r}")


def resolve(schema: Json, root: JsonSchema) -> JsonSchema:
    """The schema without references at its top. `{}` allows everything."""
    seen: set[str] = set()
    while isinstance(schema, dict) and "$ref" in schema:
        reference = schema["$ref"].removeprefix(_REF)
        if reference in seen:
            raise InvalidInput(f"$ref {schema['$ref']!r} refers to itself")
        seen.add(reference)
        schema = {**root["$defs"][reference], **{name: each for name, each in schema.items() if name != "$ref"}}
    return schema if isinstance(schema, dict) else {}


def variant(schema: Json, value: Json, root: JsonSchema) -> JsonSchema:
    """The part of a schema that a valid value fits, without references and alternatives."""
    own = dict(resolve(schema, root))
    for keyword in ("anyOf", "oneOf"):
        choices = own.pop(keyword, ())
        fitting = next((each for each in choices if not errors(value, each, root)), None)
        if fitting is not None:
            own = {**variant(fitting, value, root), **own}
    for each in own.pop("allOf", ()):
        own = {**variant(each, value, root), **own}
    return own


def errors(value: Json, schema: Json, root: JsonSchema, place: str = "", depth: int = 0) -> list[str]:
    """Why a value does not fit a schema; empty if it does."""
    where = place or "the record"
    if schema is False:
        return [f"{where} is not allowed"]
    if depth > _DEEPEST:
        return [f"{where} is nested too deep"]
    own = resolve(schema, root)
    found = [f"{where} {problem}" for problem in _own_errors(value, own)]
    for each in own.get("allOf", ()):
        found += errors(value, each, root, place, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        choices = own.get(keyword)
        fitting = sum(not errors(value, each, root, place, depth + 1) for each in choices or ())
        if choices and (not fitting or (keyword == "oneOf" and fitting > 1)):
            found.append(f"{where} fits {'none' if not fitting else 'several'} of the alternatives")
    if isinstance(value, dict):
        named, others = own.get("properties", {}), own.get("additionalProperties", True)
        for name, each in value.items():
            found += errors(each, named.get(name, others), root, f"{place}.{name}".lstrip("."), depth + 1)
    if isinstance(value, list) and "items" in own:
        for number, each in enumerate(value):
            found += errors(each, own["items"], root, f"{where}[{number}]", depth + 1)
    return found


def _own_errors(value: Json, schema: JsonSchema) -> Iterator[str]:
    """The violated keywords of a schema, without those of the values in the value."""
    if "type" in schema and not _is_type(value, schema["type"]):
        yield f"must be {schema['type']}"
        return
    if "enum" in schema and not any(_equal(value, each) for each in schema["enum"]):
        yield f"must be one of {schema['enum']}"
    if "const" in schema and not _equal(value, schema["const"]):
        yield f"must be {schema['const']!r}"
    if isinstance(value, str):
        yield from _size_errors(len(value), schema, "Length", "characters")
        if "pattern" in schema and re.search(schema["pattern"], value) is None:
            yield f"must match {schema['pattern']}"
    elif isinstance(value, list):
        yield from _size_errors(len(value), schema, "Items", "items")
        if schema.get("uniqueItems") and any(_equal(a, b) for i, a in enumerate(value) for b in value[:i]):
            yield "must have no item twice"
    elif isinstance(value, dict):
        yield from _size_errors(len(value), schema, "Properties", "properties")
        missing = [name for name in schema.get("required", ()) if name not in value]
        if missing:
            yield f"lacks {', '.join(missing)}"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number_errors(value, schema)


def _size_errors(size: int, schema: JsonSchema, suffix: str, what: str) -> Iterator[str]:
    if size < schema.get(f"min{suffix}", 0):
        yield f"must have at least {schema[f'min{suffix}']} {what}"
    if size > schema.get(f"max{suffix}", size):
        yield f"must have at most {schema[f'max{suffix}']} {what}"


def _number_errors(value: float, schema: JsonSchema) -> Iterator[str]:
    if value < schema.get("minimum", value):
        yield f"must be at least {schema['minimum']}"
    if value > schema.get("maximum", value):
        yield f"must be at most {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"must be more than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"must be less than {schema['exclusiveMaximum']}"
    if schema.get("multipleOf") and abs(value / schema["multipleOf"] - round(value / schema["multipleOf"])) > 1e-9:
        yield f"must be a multiple of {schema['multipleOf']}"


def _is_type(value: Json, kinds: Any) -> bool:  # noqa: ANN401 (one name, or several)
    names: Sequence[str] = kinds if isinstance(kinds, list) else [kinds]
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and value.is_integer() and "integer" in names:
        return True
    return any(isinstance(value, _TYPES[name]) for name in names)


def _equal(one: Json, other: Json) -> bool:
    """Equality of JSON, where true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# The stored form


def stored_schema(schema: Schema) -> dict[str, Json]:
    key = None if schema.key is None else list(schema.key)
    return {
        "schema": dict(schema.json_schema),
        "instructions": schema.instructions,
        "key": key,
        "created_at": schema.created_at.isoformat(),
    }


def parse_schema(name: str, stored: Json) -> Schema:
    """A schema from its stored form, or from that of an export. Raises InvalidInput if it is not valid."""
    fields = validate.record(stored, f"schema {name!r}")
    created_at = validate.moment(fields.get("created_at", ""), "created_at")
    key = fields.get("key")
    json_schema = check_schema(fields.get("schema"))
    return Schema(schema_name(name), json_schema, check_instructions(fields.get("instructions", "")),
                  None if key is None else check_key(key, json_schema), created_at)  # fmt: skip


def schema_name(name: str) -> str:
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise InvalidInput(
            f"a schema cannot be called {name!r}; use at most 64 letters, digits and underscores, such as 'Task'"
        )
    return name


def check_instructions(instructions: str) -> str:
    words = validate.text(instructions, "instructions").strip()
    if len(words) > LONGEST_INSTRUCTIONS:
        raise InvalidInput(f"instructions have {len(words):,} characters; the limit is {LONGEST_INSTRUCTIONS:,}")
    return words


def check_key(key: Sequence[str], schema: JsonSchema) -> tuple[str, ...]:
    """The fields of a key: texts, numbers or choices of the record itself."""
    fields = resolve(schema, schema)["properties"]
    names = validate.sequence(key, "key")
    for name in names:
        if name not in fields:
            raise InvalidInput(f"the key names {name!r}, which is no field; the fields are: {', '.join(fields)}")
    return tuple(dict.fromkeys(names))

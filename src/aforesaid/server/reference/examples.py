"""Example values for schemas, and an example `curl` command for each operation."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from aforesaid.models.json import Json

MAX_DEPTH = 8
DEEP = 3  # from here on, what can be null is null, and a list is empty
EXAMPLE_FORMATS = {"date-time": "2026-03-01T09:30:00Z"}
EXAMPLE_VALUES: dict[str, Json] = {"string": "text", "integer": 1, "number": 0.5, "boolean": True}
EXAMPLE_NAMES = {"conversation": "trip", "name": "alice"}  # of path and query parameters
EXAMPLE_TEXTS = {  # of text fields
    "id": "019c1f0a-7d1e-7cc2-a1b7-5f0a4d1c9e21",
    "space": "alice",
    "conversation": "trip",
    "title": "A trip to Lisbon",
    "text": "Lives in Lisbon",
    "content": "We settled on Lisbon in May.",
    "quote": "I live in Lisbon.",
    "subject": "user",
    "attribute": "home",
    "value": "Lisbon",
    "model": "ollama:qwen3",
    "name": "laptop",
    "by": "laptop",
    "actor": "laptop",
    "speaker": "user",
    "secret": "ak_…",
}


@dataclass(frozen=True, slots=True)
class SchemaExample:
    """Makes example values for schemas: the schema's own example, else the simplest value.

    `schemas` are the named schemas. If not `whole`, optional fields without an example are left out.
    """

    schemas: Mapping[str, Json]
    whole: bool = True

    def of(self, schema: Mapping[str, Json], depth: int = 0) -> Json:
        nullable = {"type": "null"} in schema.get("anyOf", ())
        if depth > MAX_DEPTH or (depth > DEEP and nullable):
            return None
        if "$ref" in schema:
            return self.of(self.schemas[schema["$ref"].rpartition("/")[2]], depth + 1)
        for keyword in ("examples", "enum"):
            if schema.get(keyword):
                return schema[keyword][0]
        for keyword in ("example", "const", "default"):
            if schema.get(keyword) is not None:
                return schema[keyword]
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema:
                choices = schema[keyword]
                chosen = next((choice for choice in choices if choice.get("type") != "null"), choices[0])
                return self.of(chosen, depth + 1)
        return self._of_type(schema, depth)

    def _of_type(self, schema: Mapping[str, Json], depth: int) -> Json:
        kind = schema.get("type")
        if kind == "array":
            return [] if depth > DEEP and not schema.get("minItems") else [self.of(schema.get("items", {}), depth + 1)]
        if kind == "object" or "properties" in schema:
            required = schema.get("required", ())
            return {
                name: self._of_field(name, field, depth)
                for name, field in schema.get("properties", {}).items()
                if (self.whole and depth <= DEEP) or name in required or field.get("examples", [None])[0] is not None
            }
        if kind in ("integer", "number") and "minimum" in schema:
            return max(schema["minimum"], EXAMPLE_VALUES[kind])
        return EXAMPLE_FORMATS.get(schema.get("format", ""), EXAMPLE_VALUES.get(str(kind)))

    def _of_field(self, name: str, schema: Mapping[str, Json], depth: int) -> Json:
        value = self.of(schema, depth + 1)
        return EXAMPLE_TEXTS.get(name, value) if value == EXAMPLE_VALUES["string"] else value


def curl(method: str, path: str, operation: Mapping[str, Json], base: str) -> str:
    """Returns a one-line command with the required parameters and the example of the body."""
    words = ["curl", *([] if method == "get" else ["-X", method.upper()]), base + fill_path(path, operation)]
    if operation.get("security"):
        words += ["-H", "Authorization: Bearer $AFORESAID_KEY"]
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        data = json.dumps(body["example"], ensure_ascii=False) if "example" in body else None
        words += ["-H", f"Content-Type: {media}", *(["--data-binary", "@FILE"] if data is None else ["-d", data])]
    responses = operation["responses"].get("200", {}).get("content", {}).values()
    if any(body.get("schema", {}).get("format") == "binary" for body in responses):
        words += ["-o", "FILE"]
    return " ".join(map(shell_quote, words))


def fill_path(path: str, operation: Mapping[str, Json]) -> str:
    query: dict[str, Json] = {}
    for parameter in operation.get("parameters", ()):
        value = parameter_example(parameter)
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(str(value), safe=""))
        elif parameter.get("required") and parameter["in"] == "query":
            query[parameter["name"]] = value
    return f"{path}?{urlencode(query)}" if query else path


def parameter_example(parameter: Mapping[str, Json]) -> Json:
    schema = parameter.get("schema", {})
    if schema.get("examples") or parameter.get("example") is not None:
        return parameter.get("example") or schema["examples"][0]
    value = SchemaExample({}).of(schema)
    return EXAMPLE_NAMES.get(parameter["name"], parameter["name"].upper()) if value == "text" else value


def shell_quote(word: str) -> str:
    """Quotes a word for a shell, and leaves variables."""
    return f'"{word}"' if "$" in word and "{" not in word else shlex.quote(word)

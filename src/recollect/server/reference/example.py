"""What a schema describes, shown by one value of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.models import Json

DEEPEST = 8
FORMATS = {"date-time": "2026-03-01T09:30:00Z"}
TYPES: dict[str, Json] = {"string": "text", "integer": 1, "number": 0.5, "boolean": True}

WORDS = {  # what a text says, by the name of its field
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
    "secret": "rk_…",
}


@dataclass(frozen=True, slots=True)
class Example:
    """Makes values of schemas: what a schema gives as an example where it does, else the plainest that there is.

    `known` are the schemas that others refer to by name. Not `whole`: what may be left out is, unless there is an
    example of it.
    """

    known: Mapping[str, Json]
    whole: bool = True

    def of(self, schema: Mapping[str, Json], depth: int = 0) -> Json:
        if depth > DEEPEST:
            return None
        if "$ref" in schema:
            return self.of(self.known[schema["$ref"].rpartition("/")[2]], depth + 1)
        for stated in ("examples", "enum"):
            if schema.get(stated):
                return schema[stated][0]
        for stated in ("example", "const", "default"):
            if schema.get(stated) is not None:
                return schema[stated]
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                return self.of(_plainest(schema[choice]), depth + 1)
        return self._typed(schema, depth)

    def _typed(self, schema: Mapping[str, Json], depth: int) -> Json:
        kind = schema.get("type")
        if kind == "array":
            return [self.of(schema.get("items", {}), depth + 1)]
        if kind == "object" or "properties" in schema:
            needed = schema.get("required", ())
            own = schema.get("properties", {}).items()
            return {name: self._named(name, one, depth) for name, one in own if name in needed or self._worth(one)}
        if kind in ("integer", "number") and "minimum" in schema:
            return max(schema["minimum"], TYPES[kind])
        return FORMATS.get(schema.get("format", ""), TYPES.get(str(kind)))

    def _named(self, name: str, schema: Mapping[str, Json], depth: int) -> Json:
        plain = self.of(schema, depth + 1)
        return WORDS.get(name, plain) if plain == TYPES["string"] else plain

    def _worth(self, schema: Mapping[str, Json]) -> bool:
        return self.whole or schema.get("examples", [None])[0] is not None


def _plainest(choices: list[dict[str, Json]]) -> dict[str, Json]:
    return next((one for one in choices if one.get("type") != "null"), choices[0])

"""A JSON schema as services take it who answer by one."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.models import Json

# What OpenAI or Anthropic refuse, or what is of no use to a model. The answer is checked against all of it later.
LEFT_OUT = frozenset(
    {
        "default", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maximum",
        "maxProperties", "minItems", "minLength", "minimum", "minProperties", "multipleOf", "pattern", "title",
        "uniqueItems",
    }
)  # fmt: skip
NAMED = ("properties", "$defs")  # their keys are names of ours, not words of the schema language


def strict(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Every object closed, with all of its properties required; without bounds."""
    made = {word: _strict(word, value) for word, value in schema.items() if word not in LEFT_OUT}
    if "properties" in made:
        made |= {"required": list(made["properties"]), "additionalProperties": False}
    return made


def _strict(word: str, value: Json) -> Json:
    if word in NAMED:
        return {name: strict(each) for name, each in value.items()}
    if isinstance(value, dict):
        return strict(value)
    if isinstance(value, list):
        return [strict(each) if isinstance(each, dict) else each for each in value]
    return value

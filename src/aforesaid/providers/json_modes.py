"""JSON output modes, the strictest first, with fallback to the next mode that a service accepts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from aforesaid.models.json import Json
from aforesaid.ports import Completion
from aforesaid.providers.http_client import UnsupportedRequest

# Keywords that OpenAI or Anthropic refuse, or that do not help a model. The answer is validated against all of them.
LEFT_OUT = frozenset(
    {
        "default", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maximum",
        "maxProperties", "minItems", "minLength", "minimum", "minProperties", "multipleOf", "pattern", "title",
        "uniqueItems",
    }
)  # fmt: skip
NAMED = ("properties", "$defs")  # their keys are names, not keywords


def strict_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The schema with closed objects, all properties required, and without bounds."""
    strict = {keyword: _strict_value(keyword, value) for keyword, value in schema.items() if keyword not in LEFT_OUT}
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def _strict_value(keyword: str, value: Json) -> Json:
    if keyword in NAMED:
        return {name: strict_schema(each) for name, each in value.items()}
    if isinstance(value, dict):
        return strict_schema(value)
    if isinstance(value, list):
        return [strict_schema(each) if isinstance(each, dict) else each for each in value]
    return value


RequestMode = str


class ModeFallback:
    """Tries the next mode if a service does not support one, and remembers the one that worked."""

    def __init__(self, modes: Sequence[RequestMode]) -> None:
        self._modes = tuple(modes)
        self._first = 0

    async def try_modes(self, ask: Callable[[RequestMode], Awaitable[Completion]]) -> Completion:
        first = self._first
        for step, mode in enumerate(self._modes[first:-1], first):
            try:
                answer = await ask(mode)
            except UnsupportedRequest:
                continue
            self._first = step
            return answer
        answer = await ask(self._modes[-1])
        self._first = len(self._modes) - 1
        return answer

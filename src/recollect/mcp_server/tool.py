"""What a tool is: its description for a model, what it takes, what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from mcp_types import Tool as Listed
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from recollect.mcp_server.caller import Caller
from recollect.models import Json, KeyAccess

SpaceName = Annotated[str | None, Field(description="Whose memory. Leave it out unless you were told a name.")]
Time = Annotated[
    str | None, Field(max_length=64, description="A day (2026-03-01) or a time with offset.", examples=["2026-03-01"])
]


class Arguments(BaseModel):
    """What a tool takes. What it does not know is refused, so that a mistyped argument is never ignored."""

    model_config = ConfigDict(extra="forbid")

    space: SpaceName = None


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool answers: for programs, and the same in few words for a model."""

    answer: object
    text: str


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """`needs` is the access without which the tool is neither listed nor run; what only reads has no effect."""

    name: str
    title: str
    description: str
    arguments: type[A]
    answer: type
    run: Callable[[Caller, A], Reply]
    needs: KeyAccess = "read"
    destructive: bool = False
    idempotent: bool = True

    def call(self, caller: Caller, given: Mapping[str, Json]) -> Reply:
        """Runs the tool; raises ValidationError for arguments that it does not take."""
        return self.run(caller, self.arguments.model_validate(given))

    def listed(self) -> Listed:
        hints = ToolAnnotations(
            title=self.title,
            read_only_hint=self.needs == "read",
            destructive_hint=self.destructive,
            idempotent_hint=self.idempotent,
            open_world_hint=False,
        )
        return Listed(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=lean(self.arguments.model_json_schema()),
            output_schema=lean(adapter(self.answer).json_schema(mode="serialization")),
            annotations=hints,
        )

    def structured(self, answer: object) -> Json:
        return adapter(self.answer).dump_python(answer, mode="json", exclude_defaults=True)


@cache
def adapter(answer: type) -> TypeAdapter[Any]:
    """What writes an answer: made once, since that takes longer than most answers."""
    return TypeAdapter(answer)


def lean(schema: Any) -> Any:  # noqa: ANN401 (any JSON)
    """The schema without what a model has no use for: generated titles, null beside what an optional value is."""
    if isinstance(schema, list):
        return [lean(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: lean(value) for name, value in schema.items() if not (name == "title" and isinstance(value, str))}
    some = [one for one in kept.get("anyOf", ()) if one != {"type": "null"}]
    if len(some) == 1 and len(kept["anyOf"]) == 2:
        kept = {name: value for name, value in kept.items() if name not in ("anyOf", "default")} | some[0]
    return kept

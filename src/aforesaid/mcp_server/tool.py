"""An MCP tool: its description for the model, its arguments, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_type_hints

from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from aforesaid.mcp_server.caller import McpCaller
from aforesaid.models.json import Json
from aforesaid.models.key import KeyAccess

SpaceName = Annotated[str | None, Field(description="The space. Omit it unless the user gave you a name.")]
TimeArgument = Annotated[
    str | None, Field(max_length=64, description="A day (2026-03-01) or a time with offset.", examples=["2026-03-01"])
]


class ToolArguments(BaseModel):
    """Rejects unknown arguments, so that a misspelt argument is never ignored."""

    model_config = ConfigDict(extra="forbid")

    space: SpaceName = None


A = TypeVar("A", bound=ToolArguments)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class ToolReply(Generic[R]):
    """The answer for programs, and the same as text for the model."""

    answer: R
    text: str


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """`needs` is the access that a caller needs to see and call the tool. With `read`, it changes nothing."""

    name: str
    title: str
    description: str
    arguments: type[A]
    answer: type
    run: Callable[[McpCaller, A], ToolReply[Any]]
    needs: KeyAccess = "read"
    destructive: bool = False
    idempotent: bool = True

    def call(self, caller: McpCaller, arguments: Mapping[str, Json]) -> ToolReply[Any]:
        """Raises ValidationError if the arguments are invalid."""
        return self.run(caller, self.arguments.model_validate(arguments))

    def listed(self) -> ListedTool:
        hints = ToolAnnotations(
            title=self.title,
            read_only_hint=self.needs == "read",
            destructive_hint=self.destructive,
            idempotent_hint=self.idempotent,
            open_world_hint=False,
        )
        return ListedTool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=slim_schema(self.arguments.model_json_schema()),
            output_schema=slim_schema(adapter(self.answer).json_schema(mode="serialization")),
            annotations=hints,
        )

    def structured(self, answer: object) -> Json:
        return adapter(self.answer).dump_python(answer, mode="json", exclude_defaults=True)


def tool(
    title: str, *, needs: KeyAccess = "read", destructive: bool = False, idempotent: bool = True
) -> Callable[[Callable[[McpCaller, A], ToolReply[R]]], Tool[A]]:
    """Makes a tool of a function: its name, its docstring as the description, and the types of its signature."""

    def decorate(run: Callable[[McpCaller, A], ToolReply[R]]) -> Tool[A]:
        types = get_type_hints(run)
        arguments, answer = types["arguments"], get_args(types["return"])[0]
        description = " ".join((run.__doc__ or "").split())
        return Tool(run.__name__, title, description, arguments, answer, run, needs, destructive, idempotent)

    return decorate


@cache
def adapter(answer: type) -> TypeAdapter[Any]:
    """Cached: creating an adapter takes longer than most answers."""
    return TypeAdapter(answer)


def slim_schema(schema: Any) -> Any:  # noqa: ANN401 (any JSON)
    """Removes what a model does not need: generated titles, and null as a type of optional values."""
    if isinstance(schema, list):
        return [slim_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    slim = {
        name: slim_schema(value) for name, value in schema.items() if not (name == "title" and isinstance(value, str))
    }
    choices = [choice for choice in slim.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1 and len(slim["anyOf"]) == 2:
        slim = {name: value for name, value in slim.items() if name not in ("anyOf", "default")} | choices[0]
    return slim

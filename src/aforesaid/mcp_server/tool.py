"""An MCP tool: its description for the model, its arguments, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator
from pydantic import Json as JsonText

from aforesaid.mcp_server.caller import McpCaller
from aforesaid.models.json import Json
from aforesaid.models.key import KeyAccess

SpaceName = Annotated[str | None, Field(description="If the user named one.")]
SINCE = "A day, or a time with offset."
TimeArgument = Annotated[str | None, Field(max_length=64)]
FilterArgument = JsonText[dict[str, Json]] | None  # as text: a strict schema cannot have an object of any fields
PROPERTY_KEYWORDS = ("type", "enum", "items", "description")  # what a model needs


class ToolArguments(BaseModel):
    """Rejects unknown arguments, so that a misspelt argument is never ignored. An argument that is null, "" or [] is
    absent: a client with strict schemas makes every argument required, so a model must send those it does not use."""

    model_config = ConfigDict(extra="forbid")

    space: SpaceName = None

    @model_validator(mode="before")
    @classmethod
    def _omit_empty(cls, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        return {name: value for name, value in arguments.items() if value is not None and value not in ("", [])}


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

    def listed(self, *, with_space: bool) -> dict[str, Json]:
        """Returns the tool as a client lists it. Without `with_space`, it does not mention the argument `space`."""
        reads = self.needs == "read"
        hints = {"readOnlyHint": reads, "destructiveHint": self.destructive, "openWorldHint": False}
        if self.idempotent and not reads:
            hints["idempotentHint"] = True
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": input_schema(self.arguments, without=() if with_space else ("space",)),
            "outputSchema": slim_schema(adapter(self.answer).json_schema(mode="serialization")),
            "annotations": hints,
        }

    def structured(self, answer: object) -> Json:
        return adapter(self.answer).dump_python(answer, mode="json", exclude_defaults=True)


def tool(
    *, needs: KeyAccess = "read", destructive: bool = False, idempotent: bool = True
) -> Callable[[Callable[[McpCaller, A], ToolReply[R]]], Tool[A]]:
    """Makes a tool of a function: its name, its docstring as the description, and the types of its signature."""

    def decorate(run: Callable[[McpCaller, A], ToolReply[R]]) -> Tool[A]:
        types = get_type_hints(run)
        arguments, answer = types["arguments"], get_args(types["return"])[0]
        description = " ".join((run.__doc__ or "").split())
        return Tool(run.__name__, description, arguments, answer, run, needs, destructive, idempotent)

    return decorate


@cache
def adapter(answer: type) -> TypeAdapter[Any]:
    """Cached: creating an adapter takes longer than most answers."""
    return TypeAdapter(answer)


def input_schema(arguments: type[ToolArguments], without: tuple[str, ...] = ()) -> dict[str, Json]:
    """Returns the schema of the arguments. Optional arguments may be null, so that a client can require all of them."""
    schema = arguments.model_json_schema()
    required = schema.get("required", [])
    properties = {
        name: _property(declared, nullable=name not in required)
        for name, declared in schema["properties"].items()
        if name not in without
    }
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(declared: dict[str, Any], *, nullable: bool) -> dict[str, Json]:
    """Keeps what a model needs. The server checks the rest."""
    [choice] = [choice for choice in declared.get("anyOf", [declared]) if choice != {"type": "null"}]
    every = declared | choice
    kept = {keyword: every[keyword] for keyword in PROPERTY_KEYWORDS if keyword in every}
    if nullable:
        kept["type"] = [kept["type"], "null"]
    if nullable and "enum" in kept:
        kept["enum"] = [*kept["enum"], None]
    return kept


def slim_schema(schema: Any) -> Any:  # noqa: ANN401 (any JSON)
    """Removes what the reader of an answer does not need: generated titles, and null as a type of omitted values."""
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

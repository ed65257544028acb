"""All MCP tools in the order in which they are listed, and how a tool is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mcp_types import CallToolResult, TextContent
from mcp_types import Tool as ListedTool
from pydantic import ValidationError

from aforesaid.access.problems import Refusal, problem_of
from aforesaid.errors import AforesaidError
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.tool import Tool
from aforesaid.mcp_server.tools import context, forget, pins, recall, remember, timeline
from aforesaid.models.json import Json

TOOLS: tuple[Tool[Any], ...] = (
    recall.recall, remember.remember, context.context, timeline.timeline, pins.pin, pins.unpin, forget.forget
)  # fmt: skip
BY_NAME: Mapping[str, Tool[Any]] = {tool.name: tool for tool in TOOLS}


def tools_for(caller: McpCaller) -> list[Tool[Any]]:
    """Returns the tools that the caller may use. A model does not see tools that would be refused."""
    return [tool for tool in TOOLS if caller.may(tool.needs)]


@cache
def tool_listing(tool: Tool[Any]) -> ListedTool:
    """Cached: generating the schemas is slow."""
    return tool.listed()


def call(caller: McpCaller, name: str, arguments: Mapping[str, Json]) -> CallToolResult:
    """Calls a tool. A failure becomes an error result that says what to do."""
    tool = BY_NAME.get(name)
    if tool is None:
        return error_result(f"there is no tool {name!r}; use one of: {', '.join(t.name for t in tools_for(caller))}")
    try:
        reply = tool.call(caller, arguments)
    except ValidationError as exc:
        return error_result(f"invalid_input: {'; '.join(validation_messages(exc))}")
    except (AforesaidError, Refusal) as exc:
        return error_result(f"{problem_of(exc).code}: {exc}")
    return CallToolResult(content=[text_content(reply.text)], structured_content=tool.structured(reply.answer))


def error_result(reason: str) -> CallToolResult:
    return CallToolResult(content=[text_content(reason)], is_error=True)


def text_content(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def validation_messages(error: ValidationError) -> Iterable[str]:
    """Names each wrong argument and the reason, without its value: a value may quote a user."""
    for detail in error.errors(include_url=False, include_input=False, include_context=False):
        yield f"{'.'.join(map(str, detail['loc'])) or 'arguments'}: {detail['msg']}"

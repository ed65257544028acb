"""Every tool, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mcp_types import CallToolResult, TextContent
from mcp_types import Tool as Listed
from pydantic import ValidationError

from recollect.access.problems import of_error
from recollect.access.refusal import Refusal
from recollect.errors import RecollectError
from recollect.mcp_server.caller import Caller
from recollect.mcp_server.tool import Tool
from recollect.mcp_server.tools import context, forget, pin, recall, remember, timeline, unpin
from recollect.models import Json

TOOLS: tuple[Tool[Any], ...] = (
    recall.TOOL,
    remember.TOOL,
    context.TOOL,
    timeline.TOOL,
    pin.TOOL,
    unpin.TOOL,
    forget.TOOL,
)
BY_NAME: Mapping[str, Tool[Any]] = {tool.name: tool for tool in TOOLS}


def open_to(caller: Caller) -> list[Tool[Any]]:
    """The tools that the caller may use; a model is not shown what it would be refused."""
    return [tool for tool in TOOLS if caller.may(tool.needs)]


@cache
def described(tool: Tool[Any]) -> Listed:
    """A tool as it is listed: made once, since its schemas take long."""
    return tool.listed()


def call(caller: Caller, name: str, given: Mapping[str, Json]) -> CallToolResult:
    """What a tool answers. What it cannot do comes back as an error that says what to do instead."""
    tool = BY_NAME.get(name)
    if tool is None:
        return failed(f"there is no tool {name!r}; there are: {', '.join(one.name for one in open_to(caller))}")
    try:
        reply = tool.call(caller, given)
    except ValidationError as exc:
        return failed(f"invalid_input: {'; '.join(complaints(exc))}")
    except RecollectError as exc:
        return failed(f"{of_error(exc).code}: {exc}")
    except Refusal as exc:
        return failed(f"{exc.code}: {exc}")
    return CallToolResult(content=[said(reply.text)], structured_content=tool.structured(reply.answer))


def failed(why: str) -> CallToolResult:
    return CallToolResult(content=[said(why)], is_error=True)


def said(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def complaints(error: ValidationError) -> Iterable[str]:
    """Which argument is wrong and why, without its value: it may be somebody's words."""
    for one in error.errors(include_url=False, include_input=False, include_context=False):
        yield f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"

"""Tests the documentation of the MCP server: every tool is described and every snippet works."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from aforesaid.mcp_server.prompts import PROMPTS
from aforesaid.mcp_server.requests import TOOLS
from aforesaid.mcp_server.resources import TEMPLATES

pytestmark = pytest.mark.req("X6")

DOCS = Path(__file__).parents[2] / "docs"
HOWTO = (DOCS / "howto" / "mcp.md").read_text("utf-8")
REFERENCE = (DOCS / "reference" / "mcp.md").read_text("utf-8")
SNIPPETS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", HOWTO, re.MULTILINE | re.DOTALL)]
STARTED = [server for snippet in SNIPPETS for servers in snippet.values() for server in servers.values()]


def row(name: str) -> str:
    found = [line for line in REFERENCE.splitlines() if line.startswith(f"| `{name}` |")]
    assert len(found) == 1, name
    return found[0]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_documented_with_every_argument(tool):
    missing = [name for name in tool.arguments.model_fields if name != "space" and f"`{name}`" not in row(tool.name)]
    assert missing == []
    assert ("destructive" in row(tool.name)) == tool.destructive
    assert ("reads" in row(tool.name)) == (tool.needs == "read")


def test_every_resource_and_prompt_is_documented():
    for template in TEMPLATES:
        assert row(template.uri_template)
    for prompt in PROMPTS:
        assert all(f"`{argument.name}`" in row(prompt.name) for argument in prompt.arguments)


def test_every_common_client_has_a_snippet():
    for client in ("Claude Desktop", "Claude Code", "Cursor", "VS Code", "Windsurf", "Zed"):
        assert f"\n## {client}\n" in HOWTO
    assert {key for snippet in SNIPPETS for key in snippet} == {"mcpServers", "servers", "context_servers"}
    assert [server["url"] for server in STARTED if "url" in server] == ["http://127.0.0.1:8765/mcp"]


def test_the_snippets_start_the_installed_command():
    assert {server["command"] for server in STARTED if "command" in server} == {"aforesaid"}
    assert shutil.which("aforesaid", path=str(Path(sys.executable).parent)) is not None


COMMANDS = sorted({tuple(server["args"]) for server in STARTED if "args" in server})


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
async def test_the_command_of_a_snippet_starts_a_server(arguments, path):
    given = [path if argument == "/home/ann/memory.db" else argument for argument in arguments]
    assert path in given
    found = {name: value for name, value in os.environ.items() if name == "PYTHONPATH"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "aforesaid", *given], env=found)
    async with Client(server) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {tool.name for tool in TOOLS}

"""Tests that every interface has exactly the methods of the table of verbs."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import pytest
import typer

from aforesaid import AsyncConversation, AsyncItems, AsyncMemory, AsyncSpace, Conversation, Items, Memory, Space
from aforesaid.cli.app import app
from aforesaid.mcp_server.requests import TOOLS
from aforesaid.server.app import make_app
from aforesaid.verbs import OTHER_COMMANDS, OTHER_OPERATIONS, VERBS, Exclusion

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
NOUNS = {
    "Memory": (Memory, AsyncMemory),
    "Space": (Space, AsyncSpace),
    "Conversation": (Conversation, AsyncConversation),
    "Items": (Items, AsyncItems),
}
ROWS = [(f"{noun}.{verb}", interfaces) for noun, verbs in VERBS.items() for verb, interfaces in verbs.items()]
METHODS = ("get", "post", "put", "patch", "delete")


def methods(noun: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(noun, inspect.isfunction) if not name.startswith("_")}


@cache
def commands() -> dict[str, set[str]]:
    """Returns each command, such as `add` or `keys create`, with its options."""
    found: dict[str, set[str]] = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for rest, leaf in getattr(command, "commands", {"": command}).items():
            options = {option for parameter in leaf.params for option in parameter.opts}
            found[f"{name} {rest}".strip()] = options
    return found


@pytest.fixture(scope="module")
def operations() -> set[str]:
    with Memory(worker=False, environment={}) as memory:
        paths = make_app(memory).openapi()["paths"]
    return {f"{method.upper()} {path}" for path, found in paths.items() for method in found if method in METHODS}


@pytest.mark.parametrize("noun", NOUNS)
def test_every_public_method_is_in_the_table(noun):
    assert methods(NOUNS[noun][0]) == set(VERBS[noun])


@pytest.mark.parametrize("noun", NOUNS)
def test_the_async_class_has_every_method_with_the_same_parameters(noun):
    plain, awaited = NOUNS[noun]
    assert methods(awaited) == set(VERBS[noun])
    for verb in VERBS[noun]:
        parameters = (inspect.signature(getattr(kind, verb)).parameters for kind in (plain, awaited))
        assert len({tuple(names) for names in parameters}) == 1, verb


def test_every_operation_of_the_rest_api_is_in_the_table(operations):
    named = {operation for _, interfaces in ROWS for operation in interfaces.operations}
    assert named | set(OTHER_OPERATIONS) == operations


def test_every_command_is_in_the_table():
    named = {command_name(interfaces.cli) for _, interfaces in ROWS if not isinstance(interfaces.cli, Exclusion)}
    assert named | set(OTHER_COMMANDS) == set(commands())


def command_name(command: str) -> str:
    return command.partition(" --")[0]


def test_every_option_of_the_table_exists():
    for verb, interfaces in ROWS:
        if not isinstance(interfaces.cli, Exclusion) and " --" in interfaces.cli:
            name, _, option = interfaces.cli.partition(" --")
            assert f"--{option}" in commands()[name], verb


def test_every_mcp_tool_is_in_the_table():
    assert {interfaces.mcp for _, interfaces in ROWS if not isinstance(interfaces.mcp, Exclusion)} == {
        tool.name for tool in TOOLS
    }


def test_every_verb_missing_from_an_interface_has_a_reason():
    for verb, interfaces in ROWS:
        for entry in (interfaces.rest, interfaces.cli, interfaces.mcp):
            assert not isinstance(entry, Exclusion) or len(entry.reason.split()) > 1, verb


def test_the_reference_names_every_verb():
    page = (REFERENCE / "api.md").read_text("utf-8")
    assert [verb for verb, _ in ROWS if f".{verb.partition('.')[2]}(" not in page] == []


def test_the_reference_names_every_operation(operations):
    page = (REFERENCE / "rest.md").read_text("utf-8")
    for operation in operations:
        method, path = operation.split()
        rows = [f"| {method} | `{written}` |" for written in (path, path.removeprefix("/api/memory"))]
        assert any(row in page for row in rows), operation


def test_the_reference_names_every_command_and_every_tool():
    page = (REFERENCE / "cli.md").read_text("utf-8")
    assert [name for name in commands() if f"\naforesaid {name}" not in page] == []
    tools = set(re.findall(r"`(\w+)`", (REFERENCE / "mcp.md").read_text("utf-8")))
    assert [tool.name for tool in TOOLS if tool.name not in tools] == []

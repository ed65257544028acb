"""Tests that every interface has exactly the methods of the table of verbs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable
from functools import cache
from pathlib import Path

import pytest
import typer
from typing_extensions import deprecated

from aforesaid import (
    AsyncConversation,
    AsyncItems,
    AsyncMemory,
    AsyncSpace,
    Conversation,
    Items,
    Memory,
    RecallOptions,
    Space,
)
from aforesaid.aio import run_in_thread
from aforesaid.cli.app import app
from aforesaid.mcp_server.requests import TOOLS
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.reference.openapi import resolve_parts
from aforesaid.verbs import OTHER_COMMANDS, OTHER_OPERATIONS, VERBS, Exclusion
from tests.serving import client

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
def document() -> dict[str, dict]:
    with Memory(worker=False, environment={}) as memory:
        return resolve_parts(make_app(memory).openapi())


@pytest.fixture(scope="module")
def described(document) -> dict[str, dict]:
    """Returns the description of each operation of the REST API."""
    return {
        f"{method.upper()} {path}": row
        for path, rows in document["paths"].items()
        for method, row in rows.items()
        if method in METHODS
    }


@pytest.fixture(scope="module")
def operations(described) -> set[str]:
    return set(described)


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


def test_a_verb_is_deprecated_in_all_interfaces_or_in_none(described):
    """An operation or a command that several verbs share is deprecated when all of them are."""
    marks: dict[str, list[bool]] = {}
    for verb, interfaces in ROWS:
        noun, _, name = verb.partition(".")
        plain, awaited = (hasattr(getattr(kind, name), "__deprecated__") for kind in NOUNS[noun])
        assert plain == awaited, verb
        commands = [] if isinstance(interfaces.cli, Exclusion) else [command_name(interfaces.cli)]
        for each in (*interfaces.operations, *commands):
            marks.setdefault(each, []).append(plain)
    for each, marked in marks.items():
        rest = described.get(each, {}).get("deprecated", False)
        command = bool(getattr(found_command(each), "deprecated", False)) if each not in described else False
        assert (rest or command) == all(marked), each


def found_command(name: str) -> object:
    first, _, rest = name.partition(" ")
    command = typer.main.get_command(app).commands[first]  # type: ignore[attr-defined]
    return command.commands[rest] if rest else command


class Plain:
    @deprecated("since 0.3: use `newer`")
    def older(self, number: int) -> int:
        return number + 1


class Awaited:
    def __init__(self) -> None:
        self._plain = Plain()

    older = run_in_thread(Plain.older)


async def test_a_deprecated_method_warns_its_caller_once_with_and_without_await():
    for kind in (Plain, Awaited):
        with pytest.warns(DeprecationWarning, match="since 0.3: use `newer`") as warned:
            assert await resolve(kind().older(1)) == 2
        assert [warning.filename for warning in warned] == [__file__]


async def resolve(result: int | Awaitable[int]) -> int:
    return await result if isinstance(result, Awaitable) else result


def test_the_response_of_a_deprecated_operation_links_to_the_reference():
    with Memory(worker=False, environment={}) as memory:
        server = make_app(memory, AppOptions(open=True))
        server.add_api_route("/api/older", lambda: "old", deprecated=True)
        with client(server) as http:
            assert http.get("/api/older").headers["link"] == '</docs>; rel="deprecation"'
            assert "link" not in http.get("/api/health").headers


def test_the_reference_names_every_verb():
    page = (REFERENCE / "api.md").read_text("utf-8")
    assert [verb for verb, _ in ROWS if f".{verb.partition('.')[2]}(" not in page] == []


def test_the_reference_names_every_operation(operations):
    page = (REFERENCE / "rest.md").read_text("utf-8")
    for operation in operations:
        method, path = operation.split()
        rows = [f"| {method} | `{written}` |" for written in (path, path.removeprefix("/api/memory"))]
        assert any(row in page for row in rows), operation


@pytest.mark.req("X32")
def test_the_reference_names_every_parameter_of_an_operation(described, document):
    sections = (REFERENCE / "rest.md").read_text("utf-8").split("\n## ")
    conventions = next(section for section in sections if section.startswith("Conventions"))
    unnamed = []
    for operation, description in described.items():
        method, path = operation.split()
        rows = [f"| {method} | `{written}` |" for written in (path, path.removeprefix("/api/memory"))]
        text = conventions + "".join(section for section in sections if any(row in section for row in rows))
        options = set(RecallOptions.__annotations__) if "(api.md#recall-options)" in text else set()
        taken = parameters(description, document["components"]["schemas"])
        unnamed += [f"{operation}: {name}" for name in taken - options if not re.search(rf"\b{name}\b", text)]
    assert unnamed == []


def parameters(operation: dict, schemas: dict[str, dict]) -> set[str]:
    """Returns the names of the query parameters and of the fields of the body."""
    names = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"}
    found = [content["schema"] for content in operation.get("requestBody", {}).get("content", {}).values()]
    while found:
        schema = found.pop()
        names |= set(schema.get("properties", {}))
        found += [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
        if "$ref" in schema:
            found.append(schemas[schema["$ref"].rpartition("/")[2]])
    return names


def test_the_reference_names_every_command_and_every_tool():
    page = (REFERENCE / "cli.md").read_text("utf-8")
    assert [name for name in commands() if f"\naforesaid {name}" not in page] == []
    tools = set(re.findall(r"`(\w+)`", (REFERENCE / "mcp.md").read_text("utf-8")))
    assert [tool.name for tool in TOOLS if tool.name not in tools] == []

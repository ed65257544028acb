"""Tests the tools as clients with strict schemas call them: every argument is required, and unused ones are empty.

OpenAI Agents converts schemas like this (`convert_schemas_to_strict`), as do clients with structured output.
"""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.mcp_server.conftest import ann, call, client, refused

from aforesaid.mcp_server.requests import TOOLS

pytestmark = pytest.mark.req("X6")

CALLS: dict[str, dict[str, Any]] = {
    "recall": {"query": "Where does Ann live?"},
    "remember": {"text": "Ann likes trains."},
    "add_message": {"conversation": "trip", "text": "The ferry costs 40 euros.", "id": "f1"},
    "context": {"conversation": "trip"},
    "timeline": {},
    "pin": {"conversation": "trip", "text": "The budget is 900 euros."},
    "unpin": {"conversation": "trip", "id": "p1"},
    "forget": {"message": "m2"},
}
EMPTY = {"string": "", "array": [], "integer": None, "number": None}
VARYING = {"id", "at", "receipt"}


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    return schema | {"required": list(schema["properties"])}


def complete(schema: dict[str, Any], arguments: dict[str, Any], empty: dict[str, Any]) -> dict[str, Any]:
    """Fills the arguments that the call does not use."""
    unused = {name: empty.get(declared["type"][0]) for name, declared in schema["properties"].items()
              if name not in arguments}  # fmt: skip
    return unused | arguments


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_strict_schema_accepts_null_for_every_optional_argument(tool):
    schema = tool.listed(with_space=True)["inputSchema"]
    validator = Draft202012Validator(strict(schema))
    Draft202012Validator.check_schema(schema)
    assert validator.is_valid(complete(schema, CALLS[tool.name], {}))
    assert not validator.is_valid(CALLS[tool.name])
    assert set(schema.get("required", ())) <= set(CALLS[tool.name])


@pytest.mark.parametrize("empty", [{}, EMPTY], ids=["null", "empty"])
@pytest.mark.parametrize("name", [name for name in CALLS if name != "unpin"])
async def test_an_empty_argument_is_absent(store, name, empty):
    async with client(ann(store)) as connected:
        schemas = {tool.name: tool.input_schema for tool in (await connected.list_tools()).tools}
        given = complete(schemas[name], CALLS[name], empty) | {"space": empty.get("string")}
        filled = await call(connected, name, **given)
        plain = await call(connected, name, **CALLS[name])
        kept = [{key: value for key, value in answer.items() if key not in VARYING} for answer in (filled, plain)]
        assert kept[0] == kept[1]


@pytest.mark.parametrize("name", [name for name in CALLS if name != "timeline"])
async def test_an_empty_required_argument_is_refused(store, name):
    async with client(ann(store)) as connected:
        for empty in (None, ""):
            told = await refused(connected, name, **dict.fromkeys(CALLS[name], empty))
            assert told.startswith("invalid_input")

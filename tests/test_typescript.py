"""Tests the TypeScript client on a real server, and that it has every verb with a REST interface."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

from aforesaid import Memory
from aforesaid.access import problems
from aforesaid.access.problems import STATUS_TABLE, Refusal
from aforesaid.server.app import make_app
from aforesaid.verbs import VERBS, Exclusion
from tests.chat import ChatServer
from tests.server.operations import operations
from tests.serving import Served, served

ROOT = Path(__file__).parent.parent
CLIENT = ROOT / "clients" / "typescript"
BIN = CLIENT / "node_modules" / ".bin"
LIST_METHODS = """
import * as client from "aforesaid";
const nouns = ["Memory", "Space", "Conversation", "Items"];
const methods = Object.fromEntries(nouns.map((noun) => [noun, Object.getOwnPropertyNames(client[noun].prototype)]));
console.log(JSON.stringify({ methods, errors: Object.keys(client.ERRORS) }));
"""


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=CLIENT, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def client() -> dict:
    return json.loads(run("node", "--input-type=module", "--eval", LIST_METHODS))


@pytest.fixture
def server(tmp_path) -> Iterator[Served]:
    with (
        ChatServer("We go to Lisbon.") as model,
        served(str(tmp_path / "a.db"), "--model", f"{model.url}/v1#m") as made,
    ):
        yield made


@pytest.mark.req("X30")
@pytest.mark.parametrize("noun", VERBS)
def test_the_client_has_every_verb_with_a_rest_interface(client, noun):
    """A new verb is one line in its table in clients/typescript/src/verbs.ts."""
    offered = {to_camel(verb) for verb, interfaces in VERBS[noun].items() if not isinstance(interfaces.rest, Exclusion)}
    navigation = {"constructor", "id", "space", "conversation", "items"}
    assert set(client["methods"][noun]) - navigation == offered


def test_every_error_code_has_a_class(client):
    refusals = [kind for kind in vars(problems).values() if isinstance(kind, type) and issubclass(kind, Refusal)]
    assert set(client["errors"]) == {code for _, _, code in STATUS_TABLE} | {kind.code for kind in refusals}


def test_only_the_space_and_the_actor_are_in_the_query_of_requests_with_a_body():
    """The client sends every other field in the body."""
    for operation in operations():
        if operation.body is not None:
            assert {one["name"] for one in operation.parameters if one["in"] == "query"} <= {"space", "by"}, operation


@pytest.mark.req("X30")
@pytest.mark.timeout(180)
def test_the_client_works_on_a_server(server):
    run("npm", "run", "--silent", "test", AFORESAID_URL=server.url)


@pytest.mark.req("X30")
def test_a_strict_program_and_the_code_of_the_guide_compile(tmp_path):
    (tmp_path / "guide.ts").write_text(guide(), "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    options = {"paths": {"aforesaid": [str(CLIENT / "dist/index.d.ts")]}, "noEmit": True, "rootDir": "/"}
    programs = ["guide.ts", str(CLIENT / "test/program.ts")]
    config = {"extends": str(CLIENT / "tsconfig.json"), "compilerOptions": options, "include": programs}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    run(BIN / "tsc", "--project", tmp_path)


def test_the_code_of_the_guide_runs(server):
    output = run("node", "--input-type=module", "--eval", guide().replace("http://127.0.0.1:8765", server.url))
    assert "[ 'We settled on Lisbon in May.' ]" in output
    assert output.splitlines()[-1] == "not_found"


def guide() -> str:
    page = (ROOT / "docs/howto/typescript.md").read_text("utf-8")
    return "".join(re.findall(r"^```ts\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def test_a_generator_makes_every_operation_without_a_warning(tmp_path):
    """openapi-typescript; `make judges` runs others."""
    with Memory(":memory:", worker=False, environment={}) as memory:
        document = make_app(memory).openapi()
    (tmp_path / "openapi.json").write_text(json.dumps(document), "utf-8")
    said = run(BIN / "openapi-typescript", tmp_path / "openapi.json", "-o", tmp_path / "types.ts")
    assert re.search("warn|error|missing", said, re.IGNORECASE) is None
    ids = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}
    assert set(re.findall(r'^    "(\w+\.\w+)": \{$', (tmp_path / "types.ts").read_text("utf-8"), re.MULTILINE)) == ids


def test_the_package_has_the_licence():
    assert (CLIENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()

"""Attacks another key's space through every endpoint with its ids, names, filters and cursors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.conftest import bearer
from tests.server.operations import Operation, operations, schemas
from tests.server.world import Person, person
from tests.serving import client

from aforesaid import Memory
from aforesaid.server.app import make_app

pytestmark = [pytest.mark.req("X17"), pytest.mark.timeout(900)]  # every test calls every operation

ACCESS = ("read", "write", "admin")


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> Iterator[tuple[Any, Memory, Person, dict[str, str]]]:
    """A server with two users, and alice's keys with each access level."""
    with Memory(tmp_path_factory.mktemp("town") / "m.db", worker=False, environment={}) as memory:
        person(memory, "alice", "admin")
        bob = person(memory, "bob", "admin")
        keys = {access: memory.create_key(access, access=access, spaces=["alice"]).secret for access in ACCESS}
        keys["carol"] = memory.create_key("carol", access="admin", spaces=["carol"]).secret  # owns no data
        with client(make_app(memory)) as http:
            yield http, memory, bob, keys


def words(bob: Person) -> st.SearchStrategy[str]:
    """Bob's ids and hostile strings."""
    crafted = ["bob", "alice", "..", "%", "' OR 1=1 --", "0", "-1", "zzz", f"../bob/{bob.ids[0]}", "bob\x1f", "*"]
    return st.sampled_from([*bob.ids, *crafted])


def values(schema: dict[str, Any], text: st.SearchStrategy[str], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that match a schema, with bob's ids in place of strings."""
    if "$ref" in schema:
        return values(schemas()[schema["$ref"].rpartition("/")[2]], text, depth + 1)
    if depth > 6:
        return st.none()
    for name in ("anyOf", "oneOf", "allOf"):
        if name in schema:
            return st.one_of([values(one, text, depth + 1) for one in schema[name]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    kind = schema.get("type")
    if kind == "object":
        return objects(schema, text, depth)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        "string": text,
        "integer": st.integers(0, 50),
        "number": st.floats(0, 1),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    if kind == "array":
        return st.lists(values(schema.get("items", {}), text, depth + 1), max_size=3)
    return plain.get(kind, text)


def objects(schema: dict[str, Any], text: st.SearchStrategy[str], depth: int) -> st.SearchStrategy[Any]:
    known = {name: values(one, text, depth + 1) for name, one in schema.get("properties", {}).items()}
    needed = {name: one for name, one in known.items() if name in schema.get("required", ())}
    rest = {name: one for name, one in known.items() if name not in needed}
    if not known:
        return st.dictionaries(text, text, max_size=2)
    return st.fixed_dictionaries(needed, optional=rest)


@st.composite
def requests(draw: st.DrawFn, operation: Operation, bob: Person) -> dict[str, Any]:
    text, path = words(bob), operation.path
    query: dict[str, Any] = {}
    for one in operation.parameters:
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", quote(draw(text), safe=""))
        elif one["in"] == "query" and one["name"] != "space" and (one.get("required") or draw(st.booleans())):
            query[one["name"]] = draw(values(one["schema"], text))
    made: dict[str, Any] = {"method": operation.method, "url": path, "params": _plain(query)}
    if operation.body is not None:
        made["json"] = draw(values(operation.body, text))
    return made


def _plain(query: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if isinstance(value, str | int | float | list)}


def held(memory: Memory, space: str, folder: Path) -> dict[str, str]:
    """The exported files of a space, without the audit log and the manifest, which every export changes."""
    memory.space(space).export(folder)
    return {
        str(file.relative_to(folder)): file.read_text("utf-8")
        for file in sorted(folder.rglob("*.json*"))
        if "audit" not in file.name and "manifest" not in file.name
    }


def fill(operation: Operation, id: str) -> str:
    """The path of an operation with this id for each of its parameters."""
    path = operation.path
    for one in operation.parameters:
        path = path.replace(f"{{{one['name']}}}", quote(id, safe=""))
    return path


def test_another_space_is_rejected_before_any_lookup(town):
    """The other tests cover operations without a space parameter."""
    http, _, bob, keys = town
    named = [one for one in operations() if any(parameter["name"] == "space" for parameter in one.parameters)]
    assert len(named) > 50
    for operation in named:
        path = fill(operation, bob.ids[0])
        for query, headers in (({"space": "bob"}, {}), ({}, {"X-Aforesaid-Space": "bob"})):
            answer = http.request(operation.method, path, params=query, headers=headers | bearer(keys["admin"]))
            assert answer.status_code in (403, 422), f"{operation}: {answer.text}"
            assert bob.secret not in answer.text.replace(bob.ids[0], ""), operation


def test_no_request_reveals_or_changes_another_users_data(town, tmp_path):
    http, memory, bob, keys = town
    before = held(memory, "bob", tmp_path / "before")
    for number, operation in enumerate(operations()):
        attack_with(operation, http, bob, keys)
        assert held(memory, "bob", tmp_path / str(number)) == before, operation


def attack_with(operation: Operation, http: httpx2.Client, bob: Person, keys: dict[str, str]) -> None:
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.data())
    def attack(data: st.DataObject) -> None:
        request = data.draw(requests(operation, bob))
        access = data.draw(st.sampled_from(ACCESS))
        answer = http.request(**request, headers=bearer(keys[access]))
        assert answer.status_code < 500, f"{operation}: {answer.text}"
        assert bob.secret not in without(answer.text, request), operation

    attack()


def without(answer: str, request: dict[str, Any]) -> str:
    """The response without the strings that the request contained."""
    said = json.dumps(request, ensure_ascii=False)
    for secret in sorted(set(_pieces(said)), key=len, reverse=True):
        answer = answer.replace(secret, "")
    return answer


def _pieces(said: str) -> Iterator[str]:
    for text in (said, unquote(said)):
        for piece in text.replace('"', " ").replace("/", " ").split():
            if "zebraword" in piece:
                yield piece.strip(",[]{}")


def test_another_users_id_gets_the_same_response_as_an_unknown_id(town):
    http, _, bob, keys = town
    readers = [one for one in operations() if "{" in one.path and one.method == "get"]
    for operation, id in product(readers, bob.ids):
        answers = []
        for name in (id, "z" * len(id)):
            answer = http.get(fill(operation, name), headers=bearer(keys["carol"]))
            answers.append((answer.status_code, answer.text.replace(name, "ID")))
        assert answers[0] == answers[1], operation

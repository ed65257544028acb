"""Tests schemas and records over HTTP and on the command line, with a model behind a real HTTP server."""

from __future__ import annotations

import json

import pytest
from tests.chat import ChatServer, Said

from aforesaid import AsyncMemory, Memory

TEXT = "My task is to call the plumber."
TASK = {"title": "Task", "type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
RECORD = {"message": 1, "quote": TEXT, "confidence": 0.9, "record": {"title": "call the plumber"}}


@pytest.fixture
def service():
    with ChatServer() as service:
        service.behave(Said(json.dumps({"claims": [], "episodes": [], "Task": [RECORD]})))
        yield service


@pytest.fixture
def store(open_memory, clock, service):
    return open_memory(clock=clock, embedder="none", model=f"{service.url}/v1#tiny")


@pytest.mark.req("X29")
def test_a_schema_is_learnt_and_its_records_are_listed(http, store, service):
    body = {"json_schema": TASK, "instructions": "Chores.", "key": ["title"]}
    schema = http.put("schemas/Task", json=body, params={"space": "alice"}).json()
    assert (schema["name"], schema["json_schema"], schema["key"]) == ("Task", TASK, ["title"])
    assert http.get("schemas", params={"space": "alice"}).json() == {"items": [schema]}
    chat = store.space("alice").conversation("a")
    chat.add("user", TEXT)
    chat.pause()
    store.flush()
    page = http.get("records", params={"space": "alice", "schema": "Task", "limit": 1}).json()
    (record,) = page["items"]
    assert (record["schema"], record["value"], page["next"]) == ("Task", {"title": "call the plumber"}, None)
    assert record["fact"]["evidence"][0]["quote"] == TEXT
    (sent,) = [request.body for request in service.requests if "Task" in json.dumps(request.body)]
    assert "Chores." in json.dumps(sent["messages"])
    rejected = http.post(f"facts/{record['fact']['id']}/reject", params={"space": "alice"}).json()
    assert (rejected["status"], rejected["schema"]) == ("rejected", "Task")
    any_status = {"space": "alice", "schema": "Task", "status": "any"}
    assert len(http.get("records", params=any_status).json()["items"]) == 1
    assert http.delete("schemas/Task", params={"space": "alice"}).json() == {"removed": True}
    assert http.delete("schemas/Task", params={"space": "alice"}).json() == {"removed": False}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"json_schema": {"type": "array"}},
        {"json_schema": TASK, "key": ["nothing"]},
        {"json_schema": TASK | {"not": {}}},
        {"json_schema": TASK, "instructions": "x" * 3000},
        {"json_schema": TASK, "colour": "green"},
    ],
)
def test_an_invalid_schema_is_refused(http, body):
    response = http.put("schemas/Task", json=body)
    assert response.status_code == 422
    assert response.json()["detail"]


@pytest.mark.req("X29")
async def test_the_async_api_learns_and_lists_records(path, service, clock):
    model = f"{service.url}/v1#tiny"
    async with AsyncMemory(path, model=model, embedder="none", worker=False, clock=clock, environment={}) as memory:
        space = memory.space("alice")
        assert (await space.learn(TASK)).name == "Task"
        chat = space.conversation("a")
        await chat.add("user", TEXT)
        await chat.pause()
        await memory.flush()
        assert [record.value for record in await space.records("Task")] == [{"title": "call the plumber"}]
        assert [schema.name for schema in await space.schemas()] == ["Task"]
        assert await space.unlearn("Task")


def test_a_failing_model_leaves_a_job_with_its_reason(store, service):
    alice = store.space("alice")
    alice.learn(TASK)
    service.behave(Said("no JSON"))
    chat = alice.conversation("a")
    chat.add("user", TEXT)
    chat.pause()
    store.flush()
    assert alice.records("Task", status=None) == []
    assert {cost.operation for cost in store.costs("alice") if cost.failed} >= {"records"}


def test_schemas_belong_to_their_space(store):
    store.space("alice").learn(TASK)
    assert store.space("bob").schemas() == []
    assert Memory.space(store, "bob").records("Task") == []

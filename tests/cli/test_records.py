"""Tests the commands `learn` and `records`."""

import json

import pytest
from tests.chat import ChatServer, Said

from aforesaid import Memory

TEXT = "My task is to call the plumber."
TASK = {"title": "Task", "type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
RECORD = {"message": 1, "quote": TEXT, "confidence": 0.9, "record": {"title": "call the plumber"}}


@pytest.mark.req("X29")
def test_a_schema_is_learnt_from_a_file_and_its_records_are_listed(run, data, path, tmp_path, monkeypatch):
    file = tmp_path / "task.json"
    file.write_text(json.dumps(TASK), "utf-8")
    assert "no language model is configured" in run("learn", "--schema", str(file)).stderr
    with ChatServer() as service:
        service.behave(Said(json.dumps({"claims": [], "episodes": [], "Task": [RECORD]})))
        monkeypatch.setenv("AFORESAID_MODEL", f"{service.url}/v1#tiny")
        (schema,) = data("learn", "--schema", str(file), "--key", "title", "--instructions", "Chores.")
        assert (schema["name"], schema["key"], schema["instructions"]) == ("Task", ["title"], "Chores.")
        with Memory(path, worker=False, embedder="none") as memory:
            chat = memory.space("default").conversation("a")
            chat.add("user", TEXT)
            chat.pause()
            memory.flush()
    assert [record["value"] for record in data("records", "Task")] == [{"title": "call the plumber"}]
    assert "call the plumber" in run("records", "Task").stdout
    assert "Chores." in run("learn").stdout
    assert run("learn", "--remove", "Task").exit_code == 0
    assert "there was no schema" in run("learn", "--remove", "Task").stderr
    file.write_text("[1", "utf-8")
    assert "is not JSON" in run("learn", "--schema", str(file)).stderr

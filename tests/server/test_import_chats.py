"""Other programs' exports come in over HTTP."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from tests.imports.world import archive, trip
from tests.server.conftest import bearer

pytestmark = pytest.mark.req("X8")

ALICE = {"space": "alice"}


def test_an_export_comes_in_as_it_is_and_only_once(http, store, tmp_path):
    body = archive(tmp_path / "export.zip", {"conversations.json": [trip()], "user.json": {}}).read_bytes()
    seen = http.post("import-chats", params={**ALICE, "dry_run": True}, content=body).json()
    assert (seen["formats"], seen["messages"], store.space("alice").info()) == (["chatgpt"], 2, None)
    assert http.post("import-chats", params=ALICE, content=body).json()["messages"] == 2
    again = http.post("import-chats", params=ALICE, content=body).json()
    assert (again["messages"], again["known"]) == (0, 2)
    said = [message.text for message in store.space("alice").conversation("trip").messages()]
    assert said == ["We settled on Lisbon in May.", "Lisbon in May it is."]
    assert list(Path(tempfile.gettempdir()).glob("recollect-import-*")) == []


def test_lines_of_chat_messages_come_in_and_the_format_can_be_said(http, store):
    lines = "\n".join(json.dumps({"role": "user", "content": f"number {n}"}) for n in range(3))
    assert http.post("import-chats", params={"format": "chat"}, content=lines.encode()).json()["messages"] == 3
    assert http.post("import-chats", params={"format": "gemini"}, content=lines.encode()).status_code == 422


@pytest.mark.parametrize("body", [b"", b"hello", b"PK\x03\x04 broken", b"[1, 2", b'{"a": '], ids=repr)
def test_what_cannot_be_read_is_refused_without_a_path(http, store, body):
    answer = http.post("import-chats", params=ALICE, content=body)
    assert answer.status_code == 422
    assert tempfile.gettempdir() not in answer.text
    assert store.space("alice").info() is None


def test_a_file_larger_than_a_usual_body_may_come(serve, store):
    http = serve(largest=1_000, imports=100_000)
    lines = "\n".join(json.dumps({"role": "user", "content": f"number {n}"}) for n in range(500)).encode()
    assert 1_000 < len(lines) < 100_000
    assert http.post("/api/memory/import-chats", content=lines).json()["messages"] == 500
    assert http.post("/api/memory/import-chats", content=lines * 10).status_code == 413


def test_it_takes_an_admin_key_to_the_space(http, store):
    for access, space, code in (("write", "alice", 403), ("admin", "bob", 403), ("admin", "alice", 200)):
        key = store.create_key("k", access=access, spaces=[space])
        body = json.dumps({"role": "user", "content": "hello"}).encode()
        answer = http.post("import-chats", params=ALICE, content=body, headers=bearer(key.secret))
        assert answer.status_code == code, answer.text

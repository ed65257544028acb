"""Tests the import of chats from other programs over HTTP."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from tests.imports.samples import logs_db
from tests.imports.world import archive, trip
from tests.server.conftest import FILE, bearer

pytestmark = pytest.mark.req("X8")

ALICE = {"space": "alice"}


def test_an_exported_archive_is_imported_once(http, store, tmp_path):
    body = archive(tmp_path / "export.zip", {"conversations.json": [trip()], "user.json": {}}).read_bytes()
    seen = http.post("import-chats", params={**ALICE, "dry_run": True}, content=body, headers=FILE).json()
    assert (seen["formats"], seen["messages"], store.space("alice").info()) == (["chatgpt"], 2, None)
    assert http.post("import-chats", params=ALICE, content=body, headers=FILE).json()["messages"] == 2
    again = http.post("import-chats", params=ALICE, content=body, headers=FILE).json()
    assert (again["messages"], again["known"]) == (0, 2)
    said = [message.text for message in store.space("alice").conversation("trip").messages()]
    assert said == ["We settled on Lisbon in May.", "Lisbon in May it is."]
    assert list(Path(tempfile.gettempdir()).glob("aforesaid-import-*")) == []


def test_jsonl_is_imported_with_an_explicit_format(http, store):
    lines = "\n".join(json.dumps({"role": "user", "content": f"number {n}"}) for n in range(3))
    assert (
        http.post("import-chats", params={"format": "chat"}, content=lines.encode(), headers=FILE).json()["messages"]
        == 3
    )
    assert http.post("import-chats", params={"format": "icq"}, content=lines.encode(), headers=FILE).status_code == 422


def test_a_database_and_a_text_file_are_imported(http, store, tmp_path):
    body = logs_db(tmp_path / "logs.db", "0.36").read_bytes()
    done = http.post("import-chats", params=ALICE, content=body, headers=FILE).json()
    assert (done["formats"], done["messages"]) == (["llm"], 11)
    chat = b"31/12/2025, 21:05 - Bob: Hello\n31/12/2025, 21:06 - Ada: Hi\n"
    params = {**ALICE, "me": "Ada", "name": "bob.txt"}
    assert http.post("import-chats", params=params, content=chat, headers=FILE).json()["messages"] == 2
    roles = [message.role for message in store.space("alice").conversation("whatsapp:bob").messages()]
    assert roles == ["assistant", "user"]


def jsonl(*words):
    said = enumerate(words, 1)
    return "\n".join(json.dumps({"role": "user", "content": word, "id": str(n)}) for n, word in said).encode()


def counts(http, body, **params):
    done = http.post("import-chats", params={**ALICE, **params}, content=body, headers=FILE).json()
    return done["messages"], done["known"], done["changed"]


def talks(store):
    alice = store.space("alice")
    return sorted([one.text for one in alice.conversation(info.id).messages()] for info in alice.conversations())


def test_two_unnamed_files_become_two_conversations_and_each_is_imported_once(http, store):
    first, second = jsonl("We settled on Lisbon.", "In May."), jsonl("The boiler leaks.", "Since Monday.")
    for body in (first, second):
        assert counts(http, body) == (2, 0, 0)
        assert counts(http, body) == (0, 2, 0)
    assert talks(store) == [["The boiler leaks.", "Since Monday."], ["We settled on Lisbon.", "In May."]]


def test_a_longer_file_with_the_same_name_extends_the_conversation(http, store, tmp_path):
    (tmp_path / "chat.jsonl").write_bytes(jsonl("We settled on Lisbon."))
    store.space("alice").import_chats(tmp_path / "chat.jsonl")
    longer = jsonl("We settled on Lisbon.", "In May.")
    assert counts(http, longer, name="chat.jsonl") == (1, 1, 0)
    assert counts(http, longer, name="old/chat.jsonl") == (0, 2, 0)
    assert [info.id for info in store.space("alice").conversations()] == ["chat:chat"]


@pytest.mark.parametrize("name", ["/", " ", "a\0b", "x" * 256, "x" * 2000], ids=lambda name: repr(name[:9]))
def test_an_invalid_file_name_is_rejected(http, store, name):
    answer = http.post("import-chats", params={**ALICE, "name": name}, content=jsonl("Hello."), headers=FILE)
    assert answer.status_code == 422
    assert store.space("alice").info() is None


def test_an_error_contains_the_given_file_name(http):
    answer = http.post("import-chats", params={**ALICE, "name": "../chat.jsonl"}, content=b"hello", headers=FILE)
    assert answer.json()["detail"].startswith("chat.jsonl is not valid JSON")


@pytest.mark.parametrize("body", [b"", b"hello", b"PK\x03\x04 broken", b"[1, 2", b'{"a": '], ids=repr)
def test_an_unreadable_file_is_rejected_without_revealing_a_path(http, store, body):
    answer = http.post("import-chats", params=ALICE, content=body, headers=FILE)
    assert answer.status_code == 422
    assert tempfile.gettempdir() not in answer.text
    assert store.space("alice").info() is None


def test_an_import_may_exceed_the_size_limit_of_other_bodies(serve, store):
    http = serve(largest=1_000, imports=100_000)
    lines = "\n".join(json.dumps({"role": "user", "content": f"number {n}"}) for n in range(500)).encode()
    assert 1_000 < len(lines) < 100_000
    assert http.post("/api/memory/import-chats", content=lines, headers=FILE).json()["messages"] == 500
    assert http.post("/api/memory/import-chats", content=lines * 10, headers=FILE).status_code == 413


def test_import_requires_an_admin_key_to_the_space(http, store):
    for access, space, code in (("write", "alice", 403), ("admin", "bob", 403), ("admin", "alice", 200)):
        key = store.create_key("k", access=access, spaces=[space])
        body = json.dumps({"role": "user", "content": "hello"}).encode()
        answer = http.post("import-chats", params=ALICE, content=body, headers=bearer(key.secret))
        assert answer.status_code == code, answer.text

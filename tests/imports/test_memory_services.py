"""Tests the import of what mem0, Zep, Letta and LangMem export; exports/README.md says how the files were made."""

import json
from pathlib import Path

import pytest
from tests.imports.world import said, texts, written

pytestmark = pytest.mark.req("X8")

EXPORTS = Path(__file__).parent / "exports"
TOWN = "Ana lives in Porto since 2024."


def imported_twice(store, path):
    alice = store.space("alice")
    done, again = alice.import_chats(path), alice.import_chats(path)
    assert (again.messages, again.known, again.changed, again.facts) == (0, done.messages, 0, 0)
    return done


def test_memories_of_langmem_become_pending_facts(store):
    done = imported_twice(store, EXPORTS / "langmem-0.0.30.json")
    assert (done.formats, done.messages, done.facts) == (("langmem",), 4, 4)
    assert done.skipped == {"items that are no memories": 1}
    alice = store.space("alice")
    assert {fact.text for fact in alice.review()} == {
        TOWN,
        "Ana prefers trains to planes.",
        "category: food; preference: no peanuts; context: She is allergic to them.",
        "Ana's sister Marta lives in Ghent.",
    }
    assert {fact.tags for fact in alice.review()} == {("langmem",)}
    town, *_, tool = said(store, "langmem:memories/ana")
    assert (town.role, town.text, town.name) == ("assistant", TOWN, "langmem")
    assert town.metadata["namespace"] == "memories/ana"
    assert (town.metadata["kind"], "kind" in tool.metadata) == ("Memory", False)
    assert town.created_at.isoformat() < "2026-11-20"


def test_items_of_a_langgraph_server_and_odd_values(store, tmp_path):
    item = {"namespace": ["memories"], "key": "k", "created_at": "2026-01-01T12:00:00Z", "updated_at": "2026-01-02"}
    values = [{"content": {"content": "Likes tea"}}, {"content": " "}, {"content": None}, {"content": ["a", 2]}, {}]
    items = [item | {"key": str(at), "value": value} for at, value in enumerate(values)]
    done = imported_twice(store, written(tmp_path / "items.json", {"items": [*items, {"namespace": "x"}]}))
    assert done.messages == 2
    assert done.skipped == {"without text": 2, "items that are no memories": 1, "not recognised": 1}
    assert texts(store, "langmem:memories") == [("assistant", "Likes tea"), ("assistant", '["a", 2]')]
    assert said(store, "langmem:memories")[0].created_at.day == 2


def test_memories_of_mem0_keep_their_metadata(store):
    done = imported_twice(store, EXPORTS / "mem0ai-2.2.1.json")
    assert (done.formats, done.messages, done.facts, done.skipped) == (("mem0",), 3, 3, {})
    messages = {message.text: message.metadata for message in said(store, "mem0")}
    assert messages["User prefers trains to planes"]["topic"] == "travel"
    assert messages["User prefers trains to planes"]["attributed_to"] == "user"
    assert messages["Ana's sister Marta lives in Ghent."]["run_id"] == "trip"


def test_memories_of_mem0_expire(store, tmp_path):
    def memory(text: str, **rest: str) -> dict[str, str]:
        return {"id": text, "memory": text, "user_id": "ana", "created_at": "2026-02-20T09:30:00+00:00"} | rest

    memories = [
        memory("Lives in Porto"),
        memory("Visits Oslo", expiration_date="2026-02-28"),
        memory("Visits Rome", expiration_date="2020-01-01"),
        memory("Visits Bonn", expiration_date="9999-12-01"),
    ]
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": memories}))
    done = imported_twice(store, path)
    assert (done.messages, done.facts, done.skipped) == (2, 2, {"refused: expired, or not valid as a message": 2})
    assert {message.text: message.expires_at and message.expires_at.year for message in said(store, "mem0")} == {
        "Lives in Porto": None,
        "Visits Bonn": 9999,
    }


def test_the_messages_and_edges_of_zep_in_one_file(store):
    done = imported_twice(store, EXPORTS / "zep-cloud-4.0.1.jsonl")
    assert (done.formats, done.messages, done.facts) == (("zep",), 3, 1)
    assert done.skipped == {"facts that are no longer true": 1}
    (one, two) = said(store, "zep:00000000-0000-0000-0000-000000000007")
    assert (one.name, one.text, two.role) == ("Ana", "I live in Porto.", "assistant")
    assert one.created_at.isoformat() == "2026-02-28T10:00:00+00:00"  # when it was said, not when Zep received it


def test_the_messages_and_passages_of_letta(store):
    done = imported_twice(store, EXPORTS / "letta-client-1.12.1.jsonl")
    assert (done.formats, done.messages, done.facts) == (("letta",), 4, 2)
    skipped = {"of or to a tool": 1, "thoughts": 1, "of the program, not typed by a person": 1}
    assert done.skipped == skipped
    chat = "letta:letta-client-1.12.1"
    assert texts(store, chat) == [("user", "I live in Porto."), ("assistant", "Noted: Porto.")]
    marta, trains = said(store, "letta-archive:letta-client-1.12.1")
    assert (marta.metadata["tags"], trains.text) == (["family"], "Ana prefers trains to planes.")

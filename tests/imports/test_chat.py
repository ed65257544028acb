"""Tests the import of API chat messages, LangChain messages and mem0 memories."""

import json
from datetime import UTC, datetime

import pytest
from tests.imports.world import lines, said, written

pytestmark = pytest.mark.req("X8")

TALK = [
    {"role": "developer", "content": "Be kind."},
    {"role": "user", "content": "What is the weather in Lisbon?", "name": "ada"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Lisbon"}'}}]},
    {"role": "tool", "tool_call_id": "t1", "content": "sunny"},
    {"role": "assistant", "content": [{"type": "text", "text": "It is sunny."}]},
]  # fmt: skip

LANGCHAIN = [
    {"type": "system", "data": {"content": "Be kind.", "type": "system", "id": None}},
    {"type": "human", "data": {"content": "What is the weather in Lisbon?", "type": "human", "name": "ada"}},
    {"type": "ai", "data": {"content": "", "type": "ai", "id": "run-1", "tool_calls": [
        {"name": "weather", "args": {"city": "Lisbon"}, "id": "t1", "type": "tool_call"}]}},
    {"type": "tool", "data": {"content": "sunny", "type": "tool", "tool_call_id": "t1", "id": None}},
    {"type": "ai", "data": {"content": ["It is sunny."], "type": "ai", "id": "run-2"}},
]  # fmt: skip
NAMES = {"system": "System", "human": "Human", "ai": "AI", "tool": "Tool"}
DUMPED = [
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", f"{NAMES[one['type']]}Message"],
        "kwargs": one["data"],
    }
    for one in LANGCHAIN
]
ROLES = ["system", "user", "assistant", "tool", "assistant"]


def told(store, conversation):
    """Checks and returns the messages of the conversation, which are the same for every source format."""
    messages = said(store, conversation)
    assert [one.role for one in messages] == ROLES
    assert messages[1].name == "ada"
    call = messages[2].tool_calls[0]
    assert (call["id"], call["function"]["name"]) == ("t1", "weather")
    assert json.loads(call["function"]["arguments"]) == {"city": "Lisbon"}
    assert messages[3].tool_call_id == "t1"
    assert [one.text for one in messages] == ["Be kind.", messages[1].text, "", "sunny", "It is sunny."]
    return messages


@pytest.mark.parametrize(
    ("values", "conversation"),
    [
        ([{"messages": TALK}], "chat:talk:1"),
        ([{"id": "own", "messages": TALK, "title": "Weather"}], "own"),
        (TALK, "chat:talk"),
        ([{"messages": LANGCHAIN}], "langchain:talk:1"),
        (LANGCHAIN, "langchain:talk"),
        (DUMPED, "langchain:talk"),
        ([{"conversation_id": "own", "messages": DUMPED}], "own"),
    ],
)
@pytest.mark.parametrize("form", [lines, lambda path, *values: written(path, list(values))], ids=["lines", "array"])
def test_every_format_imports_the_same_conversation(store, tmp_path, form, values, conversation):
    path = form(tmp_path / "talk.jsonl", *values)
    done = store.space("alice").import_chats(path)
    assert (done.conversations, done.messages, done.known, done.skipped) == (1, 5, 0, {})
    messages = told(store, conversation)
    assert messages[0].metadata == {"imported": True, "source": done.formats[0]}
    again = store.space("alice").import_chats(path)
    assert (again.messages, again.known, again.changed) == (0, 5, 0)


def test_one_object_is_a_conversation(store, tmp_path):
    assert store.space("alice").import_chats(written(tmp_path / "one.json", {"messages": TALK})).messages == 5


def test_equal_texts_at_different_positions_are_different_messages(store, tmp_path):
    again = [{"role": "user", "content": "yes"}, {"role": "assistant", "content": "ok"}] * 3
    path = lines(tmp_path / "a.jsonl", *again)
    assert store.space("alice").import_chats(path).messages == 6
    longer = lines(tmp_path / "a.jsonl", *again, {"role": "user", "content": "yes"})
    done = store.space("alice").import_chats(longer)
    assert (done.messages, done.known) == (1, 6)
    assert len(said(store, "chat:a")) == 7


def test_a_conversation_longer_than_a_batch_keeps_its_order(store, tmp_path):
    path = lines(tmp_path / "a.jsonl", *({"role": "user", "content": f"number {at}"} for at in range(1201)))
    assert store.space("alice").import_chats(path).messages == 1201
    assert [one.text for one in said(store, "chat:a")] == [f"number {at}" for at in range(1201)]


def test_message_times_are_imported(store, tmp_path):
    times = [{"created_at": "2025-05-05T05:05:05Z"}, {}, {"timestamp": 1746421506}, {"at": 1746421507000}]
    messages = [{"role": "user", "content": f"number {at}"} | time for at, time in enumerate(times)]
    store.space("alice").import_chats(lines(tmp_path / "a.jsonl", *messages))
    assert [one.created_at.second for one in said(store, "chat:a")] == [5, 5, 6, 7]
    assert {one.created_at.date() for one in said(store, "chat:a")} == {datetime(2025, 5, 5, tzinfo=UTC).date()}


def test_records_that_are_not_messages_are_counted(store, tmp_path):
    odd = [
        {"role": "user", "content": "fine"},
        {"role": "user", "content": " "},
        {"role": "user", "content": None},
        {"role": "user", "content": [{"type": "text"}, 5, {"no": "type"}]},
        {"role": "judge", "content": "who?"},
        {"role": 5, "content": "who?"},
        {"content": "who?"},
        {"role": "tool", "content": ""},
        "text",
    ]
    done = store.space("alice").import_chats(lines(tmp_path / "a.jsonl", *odd))
    assert done.messages == 1
    assert done.skipped == {"not recognised": 3, "refused: expired, or not valid as a message": 1, "without text": 4}


def test_a_langchain_file_constructs_no_objects(store, tmp_path):
    secret = {"lc": 1, "type": "secret", "id": ["OPENAI_API_KEY"]}
    evil = {"lc": 1, "type": "constructor", "id": ["subprocess", "Popen"], "kwargs": {"args": ["touch", "/tmp/x"]}}
    done = store.space("alice").import_chats(written(tmp_path / "a.json", [DUMPED[1], secret, evil]))
    assert (done.messages, done.skipped) == (1, {"not recognised": 2})


MEMORIES = [
    {"id": "m1", "memory": "Likes tea", "hash": "h", "metadata": None, "created_at": "2026-01-05T10:00:00-08:00",
     "updated_at": None, "user_id": "ada"},
    {"id": "m2", "memory": "Works at a bakery in Graz", "created_at": None, "metadata": {"a": 1}},
]  # fmt: skip


@pytest.mark.parametrize("value", [{"results": MEMORIES}, {"count": 2, "results": MEMORIES}, MEMORIES])
def test_mem0_memories_become_pending_facts(store, tmp_path, value):
    alice = store.space("alice")
    done = alice.import_chats(written(tmp_path / "mem0.json", value))
    assert (done.formats, done.messages, done.facts, done.skipped) == (("mem0",), 2, 2, {})
    assert {(fact.text, fact.tags, fact.status) for fact in alice.facts(status=None)} == {
        ("Likes tea", ("mem0",), "pending"),
        ("Works at a bakery in Graz", ("mem0",), "pending"),
    }
    tea = next(fact for fact in alice.review() if fact.text == "Likes tea")
    assert tea.evidence[0].message_id == "m1"
    assert (tea.evidence[0].speaker, tea.evidence[0].quote) == ("mem0", "Likes tea")
    assert tea.evidence[0].said_at == datetime(2026, 1, 5, 18, tzinfo=UTC)
    assert said(store, "mem0")[0].metadata == {"imported": True, "source": "mem0", "user_id": "ada"}
    again = alice.import_chats(written(tmp_path / "mem0.json", value))
    assert (again.known, again.messages, again.facts) == (2, 0, 0)
    while store.work():
        pass
    assert len(alice.facts(status=None)) == 2


def test_a_rejected_fact_is_not_proposed_again(store, tmp_path):
    alice = store.space("alice")
    alice.import_chats(written(tmp_path / "a.json", MEMORIES))
    for fact in alice.review():
        alice.reject(fact.id)
    copies = [one | {"id": one["id"] + "x"} for one in MEMORIES]
    assert alice.import_chats(written(tmp_path / "a.json", copies)).facts == 0


def test_a_mem0_memory_does_not_change_an_active_fact(store, tmp_path):
    alice = store.space("alice")
    fact = alice.remember("Likes tea")
    done = alice.import_chats(written(tmp_path / "a.json", MEMORIES))
    assert done.facts == 1
    assert alice.fact(fact.id).status == "active"


def test_a_memory_too_long_for_a_fact_is_stored_as_a_message(store, tmp_path):
    huge = [{"id": "m", "memory": "word " * 3000}, {"id": "n", "memory": ""}, {"id": "o"}]
    done = store.space("alice").import_chats(written(tmp_path / "a.json", huge))
    assert (done.messages, done.facts) == (1, 0)
    assert done.skipped == {"not recognised": 1, "refused: not valid as a fact": 1, "without text": 1}

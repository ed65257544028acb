"""Tests messages and chunks on every store."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from aforesaid import ConflictError, InvalidInput, Memory, NotFound


def test_a_message_is_returned_as_it_was_added(memory: Memory, clock):
    chat = memory.space("alice").conversation("trip", model="ollama:qwen3")
    added = chat.add("user", "We settled on Lisbon in May.", name="Alice", metadata={"via": ["web", 1]})
    assert chat.message(added.id) == added
    assert (added.space, added.conversation, added.seq, added.role) == ("alice", "trip", 0, "user")
    assert (added.content, added.name, added.model) == ("We settled on Lisbon in May.", "Alice", "ollama:qwen3")
    assert added.metadata == {"via": ["web", 1]}
    assert added.created_at == clock.now
    assert added.tokens == 7


def test_a_message_is_located_by_its_id_in_its_own_space_only(memory: Memory):
    space = memory.space("alice")
    added = space.conversation("trip").add("user", "hello", id="m1")
    assert space.locate(["m1", "m2"]) == {"m1": added}
    assert memory.space("bob").locate(["m1"]) == {}
    space.forget(message="m1")
    assert space.locate(["m1"]) == {}


def test_seq_counts_from_zero_in_each_conversation(memory: Memory):
    one, two = memory.conversation("one"), memory.conversation("two")
    assert [one.add("user", "a").seq, two.add("user", "b").seq, one.add("user", "c").seq] == [0, 0, 1]


def test_adding_the_same_id_and_content_returns_the_stored_message(memory: Memory):
    chat = memory.conversation("c")
    first = chat.add("user", "hello", id="m1")
    chat.add("user", "in between")
    assert chat.add("user", "hello", id="m1") == first
    assert chat.info().messages == 2


@pytest.mark.parametrize(
    "other", [{"content": "other words"}, {"role": "assistant"}, {"name": "Bob"}, {"conversation": "d"}]
)
def test_adding_the_same_id_with_other_content_is_a_conflict(memory: Memory, other):
    memory.conversation("c").add("user", "hello", id="m1")
    given = {"role": "user", "content": "hello", "conversation": "c"} | other
    chat = memory.conversation(given.pop("conversation"))
    with pytest.raises(ConflictError, match="'m1'") as caught:
        chat.add(given.pop("role"), given.pop("content"), id="m1", **given)
    assert caught.value.id == "m1"
    assert memory.conversation("c").info().messages == 1


def test_add_many_is_all_or_nothing(memory: Memory):
    chat = memory.conversation("c")
    chat.add("user", "here already", id="m1")
    with pytest.raises(ConflictError):
        chat.add_many([{"role": "user", "content": "new"}, {"role": "user", "content": "clash", "id": "m1"}])
    with pytest.raises(InvalidInput, match="message 1 of the list"):
        chat.add_many([{"role": "user", "content": "new"}, {"role": "user", "content": " "}])
    assert [m.content for m in chat.messages()] == ["here already"]
    assert chat.add("user", "next").seq == 1


def test_a_repeated_id_in_one_batch_is_stored_once(memory: Memory):
    chat = memory.conversation("c")
    twice = {"role": "user", "content": "again", "id": "m1"}
    first, second = chat.add_many([twice, twice])
    assert first == second
    assert chat.info().messages == 1


def test_a_failed_write_creates_no_space(memory: Memory):
    with pytest.raises(InvalidInput):
        memory.space("nobody").conversation("c").add("user", "")
    assert memory.spaces() == []


@pytest.mark.req("A1")
def test_recent_messages_are_returned_oldest_first_without_the_newest(memory: Memory):
    chat = memory.conversation("c")
    for number in range(12):
        chat.add("user", f"message {number}")
    assert [m.seq for m in chat.recent()] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert [m.seq for m in chat.recent(3, include_newest=True)] == [9, 10, 11]
    assert memory.conversation("unknown").recent() == []


def test_messages_are_paged_by_seq_in_both_directions(memory: Memory):
    chat = memory.conversation("c")
    chat.add_many({"role": "user", "content": f"message {number}"} for number in range(10))
    assert [m.seq for m in chat.messages(3)] == [7, 8, 9]
    assert [m.seq for m in chat.messages(3, before=7)] == [4, 5, 6]
    assert [m.seq for m in chat.messages(3, after=2)] == [3, 4, 5]
    assert [m.seq for m in chat.messages(5, after=2, before=5)] == [3, 4]
    assert chat.messages(3, after=9) == []


def test_a_given_time_is_stored_in_utc(memory: Memory):
    chat = memory.conversation("c")
    by_value = chat.add("user", "a", at=datetime(2024, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))))
    by_text = chat.add("user", "b", at="2024-05-01T12:00:00+02:00")
    assert by_value.created_at == by_text.created_at == datetime(2024, 5, 1, 10, tzinfo=UTC)
    assert chat.message(by_text.id).created_at.tzinfo is UTC
    with pytest.raises(InvalidInput, match="time zone"):
        chat.add("user", "c", at=datetime(2024, 5, 1))
    with pytest.raises(InvalidInput, match="time zone"):
        chat.add("user", "c", at="2024-05-01T12:00:00")


@pytest.mark.req("B17")
def test_ids_sort_by_time(memory: Memory, clock):
    chat = memory.conversation("c")
    ids = []
    for _ in range(20):
        ids += [chat.add("user", "x").id for _ in range(3)]
        clock.forward(milliseconds=1)
    assert ids == sorted(ids)
    assert len(set(ids)) == 60
    assert chat.add("user", "older", at="2020-01-01T00:00:00Z").id < ids[0]


@pytest.mark.req("X20")
def test_tool_calls_and_results_are_kept_verbatim(memory: Memory):
    chat = memory.conversation("c")
    calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Lisbon"}'}}]
    asked = chat.add("assistant", None, tool_calls=calls)
    answered = chat.add("tool", "", tool_call_id="call_1", name="weather")
    assert chat.message(asked.id).tool_calls == calls
    assert asked.tokens > 10
    assert (answered.tool_call_id, answered.content) == ("call_1", "")


def test_content_parts_are_kept_verbatim_and_their_text_is_found(memory: Memory):
    chat = memory.conversation("c")
    parts = [
        {"type": "text", "text": "Which harbour is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    added = chat.add("user", parts)
    assert chat.message(added.id).content == parts
    assert added.text == "Which harbour is this?"
    assert memory.space("default").recall("harbour")[0].message.id == added.id


def test_spaces_are_isolated(memory: Memory):
    memory.space("alice").conversation("c").add("user", "The vault code is heron", id="m1")
    bob = memory.space("bob")
    bob.conversation("c").add("user", "Good morning", id="m1")
    assert [hit.message.content for hit in bob.recall("vault heron")] in ([], ["Good morning"])
    assert bob.conversation("c").message("m1").content == "Good morning"
    with pytest.raises(NotFound):
        memory.space("carol").conversation("c").message("m1")
    with pytest.raises(NotFound):
        bob.conversation("other").message("m1")


@pytest.mark.req("A7")
def test_importance_is_scored_by_rules_or_given(memory: Memory):
    chat = memory.conversation("c")
    assert chat.add("user", "Hello").importance == 0.5
    assert chat.add("user", "What medications is dad taking?").importance == 0.7
    assert chat.add("user", "Hello", importance=0.9).importance == 0.9
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        chat.add("user", "Hello", importance=1.5)


@pytest.mark.req("D9")
def test_stored_messages_are_rechunked_only_on_request_and_only_once(memory: Memory):
    space = memory.space("default")
    chat = memory.conversation("c")
    space.set("chunking", False)
    text = "```python\nprint(1)\n```\n" + "A sentence about herons. " * 300
    ids = [chat.add("user", f"{text} Word{n}").id for n in range(5)]
    short, system = chat.add("user", "short"), chat.add("system", text)
    memory.flush()
    space.set("chunking", True)
    assert [len(chat.chunks(id)) for id in ids] == [1] * 5
    seen: list[tuple[int, int]] = []
    assert space.rechunk(progress=lambda done, total: seen.append((done, total))) == 5
    assert seen[-1] == (7, 7)
    assert all(len(chat.chunks(id)) > 3 for id in ids)
    assert "".join(chunk.content for chunk in chat.chunks(ids[0])) == f"{text} Word0"
    assert [len(chat.chunks(short.id)), len(chat.chunks(system.id))] == [1, 1]
    memory.flush()
    assert space.rechunk() == 0
    assert space.recall("word3")[0].message.id == ids[3]
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("D9")
def test_joined_chunks_equal_the_text(memory: Memory):
    chat = memory.conversation("c")
    code = "```python\ndef answer():\n    return 42\n```"
    text = "\n\n".join(["First some prose. " * 60, code, "And more prose. " * 200])
    added = chat.add("user", text)
    chunks = chat.chunks(added.id)
    assert "".join(chunk.content for chunk in chunks) == text
    assert [c.language for c in chunks if c.kind == "code"] == ["python"]
    assert all(chunk.tokens <= 500 for chunk in chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert {chunk.message_id for chunk in chunks} == {added.id}

"""Tests conversations, pins, and spaces on every store."""

import pytest

from aforesaid import InvalidInput, Memory, NotFound, StateError


@pytest.mark.req("B3")
def test_a_conversation_starts_pauses_resumes_and_ends(memory: Memory, clock):
    chat = memory.conversation("trip", model="ollama:qwen3")
    assert chat.start(title="Lisbon").status == "active"
    chat.add("user", "Where to?")
    chat.add("assistant", "Lisbon.")
    clock.forward(hours=1)
    assert chat.pause().status == "paused"
    assert chat.resume().status == "active"
    clock.forward(hours=1)
    ended = chat.end(outcome="booked")
    assert (ended.status, ended.outcome, ended.ended_at) == ("ended", "booked", clock.now)
    info = chat.info()
    assert info == ended
    assert (info.title, info.model, info.messages, info.turns) == ("Lisbon", "ollama:qwen3", 2, 1)
    assert info.tokens == sum(m.tokens for m in chat.messages())


@pytest.mark.req("B3")
def test_an_invalid_state_change_reports_the_current_state(memory: Memory):
    chat = memory.conversation("c")
    with pytest.raises(NotFound, match="add a message first"):
        chat.pause()
    chat.add("user", "hello")
    with pytest.raises(StateError, match="is active") as caught:
        chat.resume()
    assert caught.value.status == "active"
    chat.end()
    with pytest.raises(StateError):
        chat.end()
    with pytest.raises(StateError):
        chat.pause()


def test_a_new_message_resumes_an_ended_conversation(memory: Memory):
    chat = memory.conversation("c")
    chat.add("user", "hello")
    chat.end(outcome="done")
    chat.add("user", "one more thing")
    assert (chat.info().status, chat.info().ended_at) == ("active", None)


def test_a_change_of_model_within_a_conversation_is_stored(memory: Memory):
    memory.conversation("c", model="ollama:qwen3").add("user", "a")
    memory.conversation("c", model="openai:gpt").add("assistant", "b")
    assert [m.model for m in memory.conversation("c").messages()] == ["ollama:qwen3", "openai:gpt"]
    assert memory.conversation("c").info().model == "openai:gpt"


def test_conversations_and_spaces_are_listed_in_pages(memory: Memory):
    for number in range(5):
        memory.space("alice").conversation(f"c{number}").add("user", "x")
        memory.space(f"s{number}").conversation("c").add("user", "x")
    alice = memory.space("alice")
    assert [c.id for c in alice.conversations(2)] == ["c0", "c1"]
    assert [c.id for c in alice.conversations(2, after="c1")] == ["c2", "c3"]
    alice.conversation("c3").end()
    assert [c.id for c in alice.conversations(status="ended")] == ["c3"]
    assert [s.id for s in memory.spaces(3)] == ["alice", "s0", "s1"]
    assert [s.id for s in memory.spaces(3, after="s1")] == ["s2", "s3", "s4"]
    assert (memory.spaces()[0].conversations, memory.spaces()[0].messages) == (5, 5)


@pytest.mark.req("D12")
def test_conversations_are_searched_by_words_of_their_names_and_titles(memory: Memory):
    space = memory.space("alice")
    for name, title in (("trip", "Summer in Évora"), ("trip-2", "Winter"), ("日本", "京都の旅"), ("plain", None)):
        space.conversation(name).start(title=title)
    memory.space("bob").conversation("trip-3").start(title="Summer")

    def found(query: str, limit: int = 50, **rest: str) -> list[str]:
        return [info.id for info in space.conversations(limit, query=query, **rest)]

    assert found("TRIP") == ["trip", "trip-2"]
    assert found("trip evora") == ["trip"]
    assert found("summ éVORA") == ["trip"]
    assert found("京都") == ["日本"]
    assert found("trip", limit=1) == ["trip"]
    assert found("trip", after="trip") == ["trip-2"]
    assert found("trip", status="ended") == []
    assert found("%") == []
    with pytest.raises(InvalidInput, match="query is empty"):
        found(" ")


def test_a_new_space_or_conversation_is_empty_and_raises_no_error(memory: Memory):
    new = memory.space("new")
    assert list(new.recall("anything")) == []
    assert new.conversations() == []
    assert new.info() is None
    chat = new.conversation("c")
    assert (chat.messages(), chat.recent(), chat.pins(), list(chat.recall("x y"))) == ([], [], [], [])
    assert memory.spaces() == []


@pytest.mark.req("A15")
def test_pins_are_added_edited_listed_and_removed(memory: Memory):
    chat = memory.conversation("c")
    message = chat.add("user", "The budget is 900 €")
    pin = chat.pin("Budget: 900 €", source=message.id)
    assert (pin.importance, pin.type, pin.source_message_id) == (0.8, "manual", message.id)
    assert chat.pin(message, type="concept").source_message_id == message.id
    edited = chat.edit_pin(pin.id, content="Budget: 950 €", importance=0.9)
    assert (edited.content, edited.importance, edited.created_at) == ("Budget: 950 €", 0.9, pin.created_at)
    assert chat.pins()[0] == edited
    chat.unpin(pin.id)
    assert [p.type for p in chat.pins()] == ["concept"]
    with pytest.raises(NotFound):
        chat.unpin(pin.id)
    with pytest.raises(NotFound):
        chat.edit_pin(pin.id, content="x")
    with pytest.raises(NotFound):
        chat.pin("x", source="no such message")
    with pytest.raises(InvalidInput, match="manual"):
        chat.pin("x", type="sticky")  # type: ignore[arg-type]


@pytest.mark.req("A2")
def test_the_top_pins_are_sorted_by_importance_then_recency(memory: Memory, clock):
    chat = memory.conversation("c")
    for name, importance in [("a", 0.5), ("b", 0.9), ("c", 0.5), ("d", 0.7), ("e", 0.5), ("f", 0.1)]:
        chat.pin(name, importance=importance)
        clock.forward(seconds=1)
    assert [p.content for p in chat.pins(5)] == ["b", "d", "e", "c", "a"]


def test_a_pin_belongs_to_one_conversation(memory: Memory):
    pin = memory.conversation("one").pin("mine")
    assert memory.conversation("two").pins() == []
    with pytest.raises(NotFound):
        memory.conversation("two").unpin(pin.id)
    assert memory.conversation("one").pins() == [pin]


@pytest.mark.req("D13")
def test_deleting_a_conversation_deletes_its_records_and_no_others(memory: Memory):
    alice = memory.space("alice")
    gone, stays = alice.conversation("gone"), alice.conversation("stays")
    gone.add("user", "The heron stands in the harbour")
    gone.add("user", "```py\nx = 1\n```\n" + "long prose. " * 900)
    gone.pin("heron")
    stays.add("user", "The stork stands on the roof")
    memory.flush()
    assert gone.delete() is True
    assert gone.delete() is False
    assert [hit.message.content for hit in alice.recall("heron harbour stork")] == ["The stork stands on the roof"]
    assert (memory.status().messages, memory.status().chunks, memory.status().models[0].embedded) == (1, 1, 1)
    assert all(finding.ok for finding in memory.doctor())


def test_a_deleted_conversation_can_be_started_again(memory: Memory):
    chat = memory.conversation("c")
    chat.add("user", "before", id="m1")
    chat.delete()
    assert chat.add("user", "after", id="m1").seq == 0
    memory.flush()
    assert [hit.message.content for hit in memory.space("default").recall("before after")] == ["after"]


def test_deleting_a_space_keeps_other_spaces(memory: Memory):
    memory.space("alice").conversation("c").add("user", "heron")
    memory.space("alice").set("chunking", False)
    memory.space("bob").conversation("c").add("user", "stork")
    memory.flush()
    assert memory.space("alice").delete() is True
    assert memory.space("alice").delete() is False
    assert [s.id for s in memory.spaces()] == ["bob"]
    assert memory.space("bob").recall("stork")
    assert all(finding.ok for finding in memory.doctor())


def test_a_conversation_is_dated_by_what_was_said(memory: Memory) -> None:
    chat = memory.space("ann").conversation("trip")
    chat.pin("Budget: 900 €")
    assert chat.info().last_message_at is None
    said = [
        chat.add("user", text, at=at)
        for text, at in (("One.", "2023-05-01T10:00:00Z"), ("Two.", "2023-05-02T10:00:00Z"))
    ]
    assert chat.info().last_message_at == said[1].created_at
    assert chat.info().updated_at > said[1].created_at
    chat.end()
    assert [each.last_message_at for each in memory.space("ann").conversations()] == [said[1].created_at]
    memory.space("ann").forget(message=said[1].id)
    assert chat.info().last_message_at == said[0].created_at

"""Tests that a muted conversation is isolated from the other conversations of its space."""

import pytest

from aforesaid import Memory, NotFound

SECRET = "I live in Lisbon now, and we decided to sell the heron boat."


@pytest.fixture
def told(memory: Memory) -> Memory:
    """Returns a memory with a muted conversation and one that is not muted."""
    space = memory.space("alice")
    quiet = space.conversation("quiet")
    quiet.start()
    quiet.mute()
    quiet.add("user", SECRET, id="secret")
    quiet.pin("the heron pin")
    space.conversation("loud").add("user", "The harbour has a boat for hire, and I live in Porto.", id="heard")
    memory.flush()
    return memory


def found(memory: Memory, query: str = "heron boat", **rest: str) -> set[str]:
    return {hit.id if hit.kind == "message" else hit.text for hit in memory.space("alice").recall(query, **rest)}


def test_messages_of_a_muted_conversation_are_not_found_elsewhere(told):
    space = told.space("alice")
    assert found(told) == {"heard"}
    assert SECRET not in space.conversation("loud").context("what about the heron boat?").text
    assert {hit.id for hit in space.conversation("loud").recall("heron boat") if hit.kind == "message"} == {"heard"}


def test_messages_of_a_muted_conversation_are_stored_and_found_within_it(told):
    quiet = told.space("alice").conversation("quiet")
    assert [message.id for message in quiet.messages()] == ["secret"]
    assert found(told, conversation="quiet") == {"secret", "the heron pin"}
    assert {hit.id for hit in quiet.recall("boat") if hit.kind == "message"} == {"secret"}


def test_nothing_is_distilled_from_a_muted_conversation(told):
    space = told.space("alice")
    assert not [fact for fact in space.facts(status=None) if any(one.message_id == "secret" for one in fact.evidence)]
    assert [fact.text for fact in space.facts(status=None)] != []
    assert space.conversation("quiet").episodes() == []
    assert [pin.content for pin in space.conversation("quiet").pins()] == ["the heron pin"]


def test_contexts_of_a_muted_conversation_contain_nothing_from_outside(told):
    space = told.space("alice")
    space.grant_consent()
    space.set_profile({"city": "Braga"})
    space.remember("Prefers window seats on boats.")
    told.flush()
    text = space.conversation("quiet").context("Which boat is for hire in Braga?", system="You help.").text
    assert SECRET in text
    assert "the heron pin" in text
    for outside in ("harbour", "window seats", "city"):
        assert outside not in text
    assert "harbour" in space.conversation("other").context("Which boat is for hire?").text


def test_an_unmuted_conversation_is_recalled_and_distilled(told):
    space = told.space("alice")
    assert space.conversation("quiet").unmute().muted is False
    told.flush()
    assert found(told) >= {"secret", "heard"}
    assert [fact for fact in space.facts(status=None) if any(one.message_id == "secret" for one in fact.evidence)]


def test_muting_keeps_earlier_facts_and_stops_further_distillation(memory, clock):
    space = memory.space("alice")
    chat = space.conversation("c")
    chat.add("user", "I live in Lisbon.")
    memory.flush()
    before = space.facts(status=None)
    assert before
    clock.forward(minutes=1)
    info = chat.mute()
    assert (info.muted, info.updated_at, chat.info()) == (True, clock(), info)
    chat.add("user", "I live in Porto now.")
    memory.flush()
    assert space.facts(status=None) == before
    assert chat.info().muted


def test_lists_changes_and_exports_show_the_muted_state(told, tmp_path, open_memory):
    space = told.space("alice")
    assert {info.id: info.muted for info in space.conversations()} == {"quiet": True, "loud": False}
    cursor = space.changes().cursor
    space.conversation("loud").mute()
    assert [(one.kind, one.action) for one in space.changes(cursor)] == [("conversation", "changed")]
    space.export(tmp_path / "out")
    other = open_memory(str(tmp_path / "other.db"))
    assert {info.id: info.muted for info in other.import_space(tmp_path / "out").conversations()} == {
        "quiet": True,
        "loud": True,
    }
    other.flush()
    assert found(other) == set()


def test_muting_an_unknown_conversation_is_an_error(memory):
    with pytest.raises(NotFound):
        memory.conversation("nowhere").mute()

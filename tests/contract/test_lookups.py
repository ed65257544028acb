"""Tests the receipts and statistics of a space and the lookup of records by id."""

from __future__ import annotations

import pytest

from aforesaid import NotFound, Stats


@pytest.mark.req("X1")
def test_a_space_returns_only_its_own_receipts(memory, clock):
    alice, bob = memory.space("alice"), memory.space("bob")
    ids = []
    for name in ("one", "two"):
        alice.conversation(name).add("user", f"Where do we go, {name}?")
        ids.append(alice.conversation(name).context().receipt.id)
        clock.forward(minutes=1)
    assert [one.id for one in alice.receipts()] == ids[::-1]
    assert [one.id for one in alice.receipts(conversation="one")] == ids[:1]
    assert bob.receipts() == []
    assert alice.receipt(ids[0]) == memory.receipt(ids[0])
    assert alice.replay(ids[1]).same
    assert not alice.compare(*ids).same
    for call in (bob.receipt, bob.replay, lambda id: bob.compare(id, id)):
        with pytest.raises(NotFound) as other:
            call(ids[0])
        with pytest.raises(NotFound) as nobodys:
            call("nobody")
        assert str(other.value).replace(ids[0], "nobody") == str(nobodys.value)


@pytest.mark.req("D16")
def test_a_space_reports_its_statistics(memory):
    alice, bob = memory.space("alice"), memory.space("bob")
    assert alice.stats() == Stats()
    chat = alice.conversation("c")
    for number in range(16):
        chat.add("user", f"Message number {number} é")
    chat.pin("Budget is 900")
    alice.remember("Prefers window seats")
    chat.summarize(0, 9)
    bob.conversation("c").add("user", "Hello")
    memory.flush()
    held, other = alice.stats(), bob.stats()
    assert (held.conversations, held.messages, held.chunks, held.pins, held.facts) == (1, 16, 16, 1, 1)
    assert held.summaries >= 1
    assert held.bytes["text"] == sum(len(f"Message number {number} é".encode()) for number in range(16))
    assert held.bytes["vectors"] > other.bytes["vectors"] > 0
    assert held.bytes["full_text"] > other.bytes["full_text"] > 0


@pytest.mark.req("A15", "C8", "B8")
def test_pins_summaries_and_episodes_are_found_by_id_in_their_conversation(memory):
    chat, other = memory.conversation("c"), memory.conversation("d")
    chat.add("user", "We settled on Lisbon.")
    other.add("user", "Hello")
    made = [
        (chat.pin("Budget is 900"), "pinned"),
        (chat.summarize(0, 0), "summary"),
        (chat.note_episode("Lisbon it is", type="decision_made"), "episode"),
    ]
    for one, verb in made:
        assert getattr(chat, verb)(one.id) == one
        with pytest.raises(NotFound, match="'d' has no"):
            getattr(other, verb)(one.id)

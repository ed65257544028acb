"""Tests that distilled records are erased with their sources or recomputed without them."""

from __future__ import annotations

import pytest
from tests.conftest import FakeClock
from tests.contract.test_forget import counts

from aforesaid import Memory, NotFound

LIVES = "I live in Quetzaltenango."


@pytest.mark.req("X3", "D13")
def test_a_fact_is_erased_with_its_only_evidence(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    said = ann.conversation("c").add("user", LIVES)
    ann.conversation("c").add("user", "My name is Ann.")
    memory.flush()
    assert "Quetzaltenango" in " ".join(fact.text for fact in ann.facts(status=None))
    clock.forward(minutes=1)
    done = ann.forget(message=said.id)
    assert counts(done)["fact"] >= 1
    assert "Quetzaltenango" not in str(ann.facts(status=None))
    assert memory.verify_erasure(LIVES).clean
    memory.flush()
    assert memory.verify_erasure(LIVES).clean
    assert ann.facts(status=None)


@pytest.mark.req("X3", "X10")
def test_a_fact_with_other_evidence_is_kept_without_the_erased_quote(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    first = ann.conversation("c").add("user", LIVES)
    second = ann.conversation("d").add("user", LIVES)
    memory.flush()
    clock.forward(minutes=1)
    done = ann.forget(message=first.id)
    assert counts(done, "kept")["fact"] == 1
    (fact,) = [fact for fact in ann.facts(status=None) if "Quetzaltenango" in fact.text]
    assert [evidence.message_id for evidence in fact.evidence] == [second.id]
    ann.forget(message=second.id)
    assert memory.verify_erasure("Quetzaltenango").clean


@pytest.mark.req("X3")
def test_forgetting_a_fact_keeps_its_message(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    said = ann.conversation("c").add("user", LIVES)
    memory.flush()
    (fact,) = [fact for fact in ann.facts(status=None) if "Quetzaltenango" in fact.text]
    clock.forward(minutes=1)
    done = ann.forget(fact=fact.id)
    assert counts(done)["fact"] == 1
    assert counts(done, "kept")["message"] == 1
    assert ann.conversation("c").message(said.id).text == LIVES
    assert not [hit for hit in ann.recall("Where do I live?") if hit.kind == "fact"]
    with pytest.raises(NotFound):
        ann.forget(fact=fact.id)
    memory.flush()
    assert not [one for one in ann.facts(status=None) if "Quetzaltenango" in one.text]


@pytest.mark.req("X3", "A8")
def test_summaries_are_recomputed_without_a_forgotten_message(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    secret = "We moved the whole library of the old monastery to Quetzaltenango by train."
    ids = [
        chat.add("user" if n % 2 else "assistant", f"Note {n}: the train to Bergen takes {n} hours.").id
        for n in range(6)
    ]
    ids.append(chat.add("user", secret).id)
    for n in range(40):
        chat.add("user" if n % 2 else "assistant", f"And then {n}: we walked along the river for {n} miles.")
    memory.flush()
    assert any("Quetzaltenango" in one.text + str(one.topics) for one in chat.summaries(status=None, limit=1000))
    before = len(chat.summaries("segment"))
    clock.forward(minutes=1)
    done = ann.forget(message=ids[-1])
    assert counts(done, "recomputed")["summary"] >= 1
    assert memory.verify_erasure(secret).clean
    memory.flush()
    assert memory.verify_erasure(secret).clean
    assert len(chat.summaries("segment")) >= before - 1
    assert chat.summaries("segment")[0].first_seq == 0
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X3")
def test_an_edited_message_is_distilled_again(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    said = chat.add("user", LIVES)
    memory.flush()
    clock.forward(minutes=1)
    chat.edit(said.id, "I live in Bergen.")
    memory.flush()
    texts = " ".join(fact.text for fact in ann.facts(status=None))
    assert "Bergen" in texts
    assert "Quetzaltenango" not in texts
    assert memory.verify_erasure(LIVES).clean


@pytest.mark.req("X3")
def test_forgetting_everything_erases_manual_facts(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    ann.conversation("c").add("user", LIVES)
    ann.remember("The gate code is with Zephyrine")
    memory.flush()
    clock.forward(minutes=1)
    ann.forget(everything=True)
    assert ann.facts(status=None) == []
    assert memory.verify_erasure("The gate code is with Zephyrine").clean
    assert memory.verify_erasure(LIVES).clean


@pytest.mark.req("X3")
def test_a_forgotten_fact_is_not_created_again_when_another_message_is_forgotten(
    memory: Memory, clock: FakeClock
) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    first = chat.add("user", "It rains today.")
    chat.add("user", LIVES)
    for n in range(40):
        chat.add("user" if n % 2 else "assistant", f"And then {n}: we walked along the river for {n} miles.")
    memory.flush()
    (fact,) = [fact for fact in ann.facts(status=None) if "Quetzaltenango" in fact.text]
    clock.forward(minutes=1)
    ann.forget(fact=fact.id)
    assert counts(ann.forget(message=first.id), "recomputed")["summary"] >= 1
    memory.flush()
    assert not [one for one in ann.facts(status=None) if "Quetzaltenango" in one.text]


@pytest.mark.req("X3")
def test_episodes_of_a_forgotten_message_are_withdrawn(memory: Memory, clock: FakeClock) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    chat.add("user", "Which database shall we take for the billing service?")
    said = chat.add("user", "We decided to use Zephyrbase for the billing service.")
    chat.add("assistant", "Good choice.")
    memory.flush()
    by_hand = chat.note_episode("Chose Zephyrbase", type="decision_made", first=0, last=2, summary="Zephyrbase it is.")
    assert any("Zephyrbase" in one.title + one.summary for one in chat.episodes() if one.id != by_hand.id)
    clock.forward(minutes=1)
    done = ann.forget(message=said.id)
    assert counts(done)["episode"] >= 1  # the manual episode cannot be recomputed
    assert counts(done, "recomputed")["episode"] >= 1
    assert memory.verify_erasure("Zephyrbase").clean
    memory.flush()
    assert memory.verify_erasure("Zephyrbase").clean
    assert [pin for pin in chat.pins() if "Zephyrbase" in pin.content] == []
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("B8", "B9")
def test_the_newest_message_is_found_after_another_was_forgotten(memory: Memory) -> None:
    ann = memory.space("ann")
    chat = ann.conversation("c")
    first, *_ = [chat.add("user", text).id for text in ("Hello.", "It rains.", "We sail to Quetzaltenango.")]
    ann.forget(message=first)
    assert chat.note_episode("Sailing", type="pivot").first_seq == 2
    assert "Quetzaltenango" in chat.arc().end.summary

"""Tests that an edited fact is the person's word, and that archiving and rejecting keep a reason and can be undone."""

from __future__ import annotations

import json

import pytest
from tests.conftest import FakeClock

from aforesaid import InvalidInput, Memory, Space, StateError

SAID = "I work for Acme. I'm allergic to peanuts."
REASON = "She left Quetzaltenango for Zephyrine"


@pytest.fixture
def alice(memory: Memory) -> Space:
    return memory.space("alice")


@pytest.fixture
def job(memory: Memory, alice: Space, clock: FakeClock):
    """The fact that the user works for Acme, by patterns."""
    alice.conversation("chat").add("user", SAID, id="said")
    memory.flush()
    clock.forward(days=1)
    return next(fact for fact in alice.facts() if fact.attribute == "employer")


@pytest.mark.req("X9")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("user works for Globex", "Globex"),
        ("User works for Globex.", "Globex"),
        ("user works for Globex and two others", "Globex and two others"),
    ],
)
def test_new_words_change_the_value_too(alice, job, text, value):
    new = alice.edit_fact(job.id, text)
    assert (new.text, new.attribute, new.value) == (text, "employer", value)
    assert (new.status, new.method, new.confidence) == ("active", "manual", 1.0)
    assert [(each.quote, each.supports) for each in new.evidence] == [(job.evidence[0].quote, False)]
    assert all(each.supports for each in alice.fact(job.id).evidence), "the old version keeps its evidence"


@pytest.mark.req("X9")
def test_a_new_value_changes_the_words_too(alice, job):
    new = alice.edit_fact(job.id, value="Globex")
    assert (new.text, new.value, new.evidence[0].supports) == ("user works for Globex", "Globex", False)


@pytest.mark.req("X9")
def test_words_that_do_not_show_the_value_are_refused_with_what_to_pass(alice, job):
    for text in ("User is employed by Globex", "User no longer works for Acme"):
        with pytest.raises(
            InvalidInput, match="'employer', which is 'Acme': change the value too, or remove the attribute"
        ):
            alice.edit_fact(job.id, text)
    with pytest.raises(InvalidInput, match="do not state the value 'Acme' of 'employer'"):
        alice.edit_fact(job.id, "User is employed by Globex", value="Acme")
    assert alice.fact(job.id) == job
    assert alice.edit_fact(job.id, "User is employed by Globex", value="Globex").value == "Globex"


@pytest.mark.req("X9")
def test_a_fact_without_a_slot_has_no_value_that_contradicts_its_words(alice, job):
    new = alice.edit_fact(job.id, "User is looking for work", attribute=None)
    assert (new.text, new.attribute, new.value, new.evidence[0].supports) == (
        "User is looking for work", None, None, False,
    )  # fmt: skip
    assert alice.fact(job.id).status == "superseded"
    noted = alice.remember("the code word is heron", value="heron")
    otter = alice.edit_fact(noted.id, "the code word is otter")
    assert otter.value == "otter"
    assert alice.edit_fact(otter.id, "there is no code word now").value is None


@pytest.mark.req("X9")
def test_a_slot_whose_attribute_has_the_content_keeps_its_words(alice, job):
    allergy = next(fact for fact in alice.facts() if fact.attribute == "allergy to peanuts")
    for details in ({}, {"value": "yes"}):
        with pytest.raises(InvalidInput):
            alice.edit_fact(allergy.id, "user is allergic to walnuts", **details)
    changed = alice.edit_fact(allergy.id, "user is allergic to walnuts", attribute="allergy to walnuts", value="yes")
    assert (changed.attribute, changed.evidence[0].supports) == ("allergy to walnuts", False)


def test_a_change_of_the_time_keeps_the_evidence(alice, job):
    assert alice.edit_fact(job.id, valid_from="2020-01-01").evidence == job.evidence


def test_an_edit_counts_as_evidence_again_when_the_user_says_it(memory, alice, job, clock):
    new = alice.edit_fact(job.id, value="Globex")
    alice.conversation("chat").add("user", "I work for Globex.")
    memory.flush()
    assert [each.supports for each in alice.fact(new.id).evidence] == [False, True]


@pytest.mark.req("X9")
@pytest.mark.parametrize("details", [{"value": "Globex"}, {"text": "user is looking for work", "attribute": None}])
def test_an_edit_stays_when_its_message_is_read_again(memory, alice, clock, details):
    chat = alice.conversation("chat")
    greeting = chat.add("user", "Good morning to you.")
    chat.add("user", SAID)
    memory.flush()
    clock.forward(days=1)
    edited = alice.edit_fact(next(fact for fact in alice.facts() if fact.attribute == "employer").id, **details)
    before = {fact.id for fact in alice.facts()}
    chat.edit(greeting.id, "Good evening to you.")
    memory.flush()
    assert edited.id in before == {fact.id for fact in alice.facts()}


@pytest.mark.req("X9")
def test_undo_takes_an_edit_back(alice, job):
    new = alice.edit_fact(job.id, value="Globex")
    assert alice.undo(new.id).status == "pending"
    assert alice.fact(job.id).evidence == job.evidence
    assert [fact.value for fact in alice.facts() if fact.attribute == "employer"] == ["Acme"]
    assert alice.promote(new.id).value == "Globex"  # takes the undo back


@pytest.mark.req("X9", "X4")
@pytest.mark.parametrize("verb", ["archive", "reject"])
def test_a_reason_is_kept_and_undo_restores_the_fact_as_it_was(alice, job, clock, verb):
    gone = getattr(alice, verb)(job.id, reason=REASON)
    assert (gone.reason, gone.withdrawn_from) == (REASON, "active")
    assert alice.fact(job.id) == gone
    assert alice.facts(status=gone.status) == [gone]
    assert job.id not in {fact.id for fact in alice.facts()}
    clock.forward(days=1)
    back = alice.undo(job.id)
    assert (back.status, back.reason, back.withdrawn_from) == ("active", None, None)
    assert (back.valid_from, back.known_from, back.known_until) == (job.valid_from, job.known_from, None)
    with pytest.raises(StateError, match="neither superseded"):
        alice.undo(job.id)


@pytest.mark.req("X4")
def test_undo_of_a_rejection_supersedes_again_what_the_fact_superseded(memory, alice, job, clock):
    alice.conversation("chat").add("user", "I work for Globex now.")
    memory.flush()
    clock.forward(days=1)
    new = next(fact for fact in alice.facts() if fact.value == "Globex")
    alice.reject(new.id, reason="a joke")
    assert alice.fact(job.id).status == "active"
    alice.undo(new.id)
    assert (alice.fact(new.id).status, alice.fact(job.id).status) == ("active", "superseded")
    assert alice.undo(new.id).status == "pending"
    assert alice.fact(job.id).status == "active"


@pytest.mark.req("X4", "X9")
def test_undo_of_the_rejection_of_an_edit_ends_the_old_version_again(alice, job, clock):
    new = alice.edit_fact(job.id, "user does not work", attribute="work", value="no")
    clock.forward(days=1)
    alice.reject(new.id)
    assert alice.fact(job.id).status == "active"
    clock.forward(days=1)
    alice.undo(new.id)
    assert (alice.fact(new.id).status, alice.fact(job.id).status) == ("active", "superseded")
    alice.undo(new.id)
    assert alice.fact(job.id).status == "active"


@pytest.mark.req("X4")
def test_undo_does_not_replace_what_was_said_since(memory, alice, clock):
    chat = alice.conversation("chat")
    chat.add("user", "I live in Porto.")
    memory.flush()
    clock.forward(days=1)
    (home,) = alice.facts()
    alice.archive(home.id, reason="out of date")
    chat.add("user", "I live in Braga now.")
    memory.flush()
    clock.forward(days=1)
    assert alice.undo(home.id).status == "superseded"
    assert [fact.value for fact in alice.facts()] == ["Braga"]


def test_a_pending_or_superseded_fact_is_pending_or_superseded_again(memory, alice, job, clock):
    alice.conversation("chat").add("user", "I work for Globex now.")
    memory.flush()
    clock.forward(days=1)
    alice.reject(job.id)
    new = next(fact for fact in alice.facts() if fact.value == "Globex")
    assert alice.undo(job.id).status == "superseded"
    assert alice.undo(new.id).status == "pending"
    alice.reject(new.id, reason="no")
    assert alice.undo(new.id).status == "pending"


def test_a_rejected_fact_stays_rejected_when_what_superseded_it_goes(memory, alice, job, clock):
    said = alice.conversation("chat").add("user", "I work for Globex now.")
    memory.flush()
    clock.forward(days=1)
    alice.reject(job.id, reason="never")
    alice.forget(message=said.id)
    assert (alice.fact(job.id).status, alice.fact(job.id).reason) == ("rejected", "never")
    assert alice.undo(job.id).status == "active"


def test_a_second_decision_keeps_the_state_before_the_first(alice, job):
    alice.archive(job.id)
    assert alice.archive(job.id, reason="old").reason == "old"
    assert alice.reject(job.id).reason == "old"
    assert alice.undo(job.id).status == "active"


def test_a_fact_that_is_said_again_has_no_reason(memory, alice, job):
    alice.archive(job.id, reason="old")
    alice.conversation("other").add("user", "I work for Acme.")
    memory.flush()
    again = alice.fact(job.id)
    assert (again.status, again.reason, again.withdrawn_from) == ("active", None, None)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001, 7])
def test_a_bad_reason_is_refused(alice, job, reason):
    with pytest.raises(InvalidInput):
        alice.archive(job.id, reason=reason)
    assert alice.fact(job.id) == job


@pytest.mark.req("X3")
def test_a_reason_is_erased_with_its_fact(memory, alice, job, clock):
    alice.archive(job.id, reason=REASON)
    alice.forget(fact=job.id)
    memory.flush()
    assert memory.verify_erasure(REASON).clean


@pytest.mark.req("X3")
def test_a_reason_is_erased_when_a_message_of_the_fact_is_forgotten(memory, alice, job, clock):
    alice.conversation("other").add("user", "I work for Acme.")
    memory.flush()
    alice.archive(job.id, reason=REASON)
    clock.forward(minutes=1)
    alice.forget(message="said")
    memory.flush()
    assert alice.fact(job.id).reason is None
    assert memory.verify_erasure(REASON).clean


@pytest.mark.req("X3")
def test_the_old_words_of_an_edited_fact_are_erased_with_their_message(memory, alice, clock):
    alice.conversation("chat").add("user", "I live in Quetzaltenango.", id="lives")
    memory.flush()
    clock.forward(minutes=1)
    alice.edit_fact(alice.facts()[0].id, value="Huehuetenango")
    alice.forget(message="lives")
    memory.flush()
    assert alice.facts(status=None) == []
    for words in ("Quetzaltenango", "Huehuetenango"):
        assert memory.verify_erasure(words).clean


@pytest.mark.req("B16")
def test_reasons_and_marks_are_exported_imported_and_copied(memory, alice, job, tmp_path, open_memory):
    edited = alice.edit_fact(job.id, value="Globex")
    other = next(fact for fact in alice.facts() if fact.attribute != "employer")
    archived = alice.archive(other.id, reason=REASON)
    folder = alice.export(tmp_path / "alice")
    again = open_memory(str(tmp_path / "other.db")).import_space(folder)
    assert (again.fact(edited.id), again.fact(archived.id)) == (alice.fact(edited.id), archived)
    assert again.undo(archived.id).status == "active"
    target = open_memory(str(tmp_path / "copied.db"))
    memory.copy_to(target)
    copied = target.space("alice")
    assert (copied.fact(edited.id), copied.fact(archived.id)) == (alice.fact(edited.id), archived)


@pytest.mark.req("B16")
def test_an_export_without_marks_is_imported(alice, job, tmp_path, open_memory):
    folder = alice.export(tmp_path / "alice")
    records = json.loads((folder / "facts.json").read_text("utf-8"))
    for record in records:
        del record["reason"], record["withdrawn_from"]
        for evidence in record["evidence"]:
            del evidence["supports"]
    (folder / "facts.json").write_text(json.dumps(records), "utf-8")
    assert open_memory(str(tmp_path / "other.db")).import_space(folder).fact(job.id) == alice.fact(job.id)


@pytest.mark.req("X11")
def test_a_reason_is_masked_like_a_fact(alice, job):
    alice.set("mask_stored", True)
    key = "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56"
    assert alice.archive(job.id, reason=f"it named {key}").reason == "it named [masked: api key]"


def test_preferences_that_contradict_each_other_meet_if_they_have_an_attribute(alice, clock):
    for kind, language in (("preference", "French"), ("procedure", "German")):
        slot = f"answers in {language}"
        never = alice.remember(f"Never answer in {language}", kind=kind, attribute=slot, value="never")
        clock.forward(days=1)
        always = alice.remember(f"Always answer in {language}", kind=kind, attribute=slot, value="always")
        assert alice.fact(never.id).status == "superseded"
        assert [fact.id for fact in alice.facts(kind=kind)] == [always.id]
    first = alice.remember("Never answer in Dutch", kind="preference")
    second = alice.remember("Always answer in Dutch", kind="preference")
    assert {first.id, second.id} <= {fact.id for fact in alice.facts()}, "without an attribute, both are kept"


def test_an_edited_fact_is_not_quoted_as_said_by_its_speaker(alice, job):
    alice.edit_fact(job.id, value="Globex")
    context = alice.conversation("new").context("Who does the user work for?", max_tokens=1000)
    text = json.dumps(context.to_openai())
    assert "Globex" in text
    line = next(quote for quote in context.recalled if quote.kind == "fact" and "Globex" in quote.text)
    assert line.conversation == "remembered"

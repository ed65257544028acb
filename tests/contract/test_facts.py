"""Tests facts: extraction by patterns, reconciliation, manual decisions, time queries, and deletion."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import sql

from aforesaid import InvalidInput, NotFound, StateError

MARCH = "2026-03-10T00:00:00+00:00"


@pytest.fixture
def alice(memory):
    return memory.space("alice")


@pytest.fixture
def say(memory, alice, clock):
    """Returns a function that adds a message, distills it, and moves the clock one day forward."""

    def stream(text: str, conversation: str = "chat", role: str = "user", **rest) -> str:
        message = alice.conversation(conversation).add(role, text, **rest)
        memory.flush()
        clock.forward(days=1)
        return message.id

    return stream


def values(facts) -> list[str | None]:
    return [fact.value for fact in facts]


@pytest.mark.req("B14", "X10")
def test_a_user_message_becomes_a_fact_with_quote_speaker_and_message_id(alice, say):
    id = say("Hello! I live in Lisbon, by the way.")
    (fact,) = alice.facts()
    (evidence,) = fact.evidence
    assert (fact.subject, fact.attribute, fact.value, fact.status) == ("user", "home", "Lisbon", "active")
    assert (evidence.message_id, evidence.conversation, evidence.speaker) == (id, "chat", "user")
    assert evidence.quote in alice.conversation("chat").message(id).text
    assert fact.method == "pattern"
    assert fact.tokens > 0


def test_facts_are_listed_by_the_conversation_in_which_they_were_said(alice, say):
    say("I live in Lisbon.")
    say("I work for Acme.", "work")
    say("I live in Lisbon.", "work")
    alice.remember("Mara likes herons")
    assert values(alice.facts(conversation="chat")) == ["Lisbon"]
    assert sorted(values(alice.facts(conversation="work"))) == ["Acme", "Lisbon"]
    assert alice.facts(conversation="other") == []
    assert alice.facts(conversation="chat", status="rejected") == []


@pytest.mark.req("X10")
@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_user_messages_become_facts(alice, say, role):
    say("I live in Lisbon.", role=role, **({"tool_call_id": "1"} if role == "tool" else {}))
    assert alice.facts(status=None) == []


@pytest.mark.req("X10")
def test_repeated_assistant_claims_make_no_fact_and_repeated_user_claims_make_one(memory, alice):
    chat = alice.conversation("chat")
    chat.add_many([{"role": "assistant", "content": "You live in Paris and your name is Bob."}] * 100)
    chat.add_many([{"role": "user", "content": "<recalled>\nuser> I live in Paris.\n</recalled>\nthanks"}] * 100)
    chat.add_many([{"role": "user", "content": "I live in Lisbon."}] * 100)
    memory.flush(240)
    (fact,) = alice.facts(status=None)
    assert fact.value == "Lisbon"
    assert fact.confidence < 1
    assert len(fact.evidence) == 20


def test_messages_added_while_facts_are_off_are_read_later(alice, say):
    alice.set("facts", False)
    say("I live in Lisbon.")
    assert alice.facts(status=None) == []
    alice.set("facts", True)
    say("How are you?")
    assert values(alice.facts()) == ["Lisbon"]


@pytest.mark.req("B14")
def test_an_uncertain_fact_is_pending_until_a_second_message_confirms_it(alice, say):
    alice.set("fact_threshold", 1.0)
    say("I live in Lisbon.")
    (pending,) = alice.facts(status="pending")
    assert alice.facts() == []
    assert alice.review() == [pending]
    say("I live in Lisbon!", "another")
    (fact,) = alice.facts()
    assert fact.id == pending.id
    assert fact.confidence > pending.confidence
    assert len(fact.evidence) == 2
    assert alice.review() == []


def test_a_message_read_twice_is_one_piece_of_evidence(memory, alice, say):
    alice.set("fact_threshold", 1.0)
    say("I live in Lisbon.")
    before = alice.facts(status=None)
    sql(memory, "DELETE FROM progress")
    say("How are you?")
    assert alice.facts(status=None) == before


@pytest.mark.req("X9", "B19", "B20")
def test_a_changed_fact_supersedes_the_old_one_and_both_stay_in_the_history(alice, say, clock):
    say("I live in Lisbon.")
    clock.forward(days=30)
    moved = clock()
    say("I live in Porto now.")
    assert values(alice.facts()) == ["Porto"]
    (old,) = alice.facts(status="superseded")
    (new,) = alice.facts()
    assert (old.value, old.valid_until, new.valid_from) == ("Lisbon", moved, moved)
    assert values(alice.facts(as_of=moved - timedelta(days=1))) == ["Lisbon"]
    assert values(alice.facts(as_of=moved)) == ["Porto"]
    (relation,) = alice.relations()
    assert (relation.source, relation.kind, relation.target) == (new.id, "supersedes", old.id)
    assert alice.relations(old.id) == alice.relations(new.id) == [relation]


@pytest.mark.req("B19")
def test_known_at_and_as_of_are_independent(alice, say, clock):
    say("I live in Lisbon.")
    before = clock()
    clock.forward(days=10)
    say("I have been living in Porto since 2020.")
    assert values(alice.facts()) == ["Porto"]
    assert values(alice.facts(as_of=before)) == ["Porto"], "a correction: Lisbon was never true"
    assert values(alice.facts(as_of=before, known_at=before)) == ["Lisbon"]
    assert values(alice.facts(known_at=before)) == ["Lisbon"]


@pytest.mark.req("B19")
def test_a_later_change_does_not_affect_a_query_with_an_earlier_known_at(alice, say, clock):
    say("I live in Lisbon.")
    before = clock()
    clock.forward(days=10)
    say("I live in Porto.")
    later = clock() + timedelta(days=30)
    assert values(alice.facts(as_of=later, known_at=before)) == ["Lisbon"]
    assert values(alice.facts(as_of=later)) == ["Porto"]


@pytest.mark.req("X9")
def test_returning_to_an_earlier_value_creates_a_new_fact(alice, say):
    for home in ("Lisbon", "Porto", "Lisbon"):
        say(f"I live in {home}.")
    (now,) = alice.facts()
    assert (now.value, len(now.evidence)) == ("Lisbon", 1)
    assert values(alice.facts(status="superseded")) == ["Lisbon", "Porto"]


@pytest.mark.req("X9")
def test_a_hedged_contradiction_is_pending_and_supersedes_nothing(alice, say):
    say("I live in Lisbon.")
    say("I think I live in Porto.")
    assert values(alice.facts()) == ["Lisbon"]
    (doubt,) = alice.facts(status="pending")
    assert doubt.value == "Porto"
    assert {relation.kind for relation in alice.relations(doubt.id)} == {"contradicts"}
    assert sorted(values(alice.review())) == ["Lisbon", "Porto"]
    alice.promote(doubt.id)
    assert values(alice.facts()) == ["Porto"]
    assert alice.review() == []


@pytest.mark.req("X9")
@pytest.mark.parametrize(
    ("first", "second", "active"),
    [
        ("I live in California.", "I live in Los Angeles.", ["California", "Los Angeles"]),
        ("I live in Lisbon, Portugal.", "I live in Portugal.", ["Lisbon, Portugal", "Portugal"]),
        ("I live near Chicago.", "I live in Chicago.", ["near Chicago", "Chicago"]),
        ("I live in Spain.", "I live in Portugal.", ["Portugal"]),
        ("I live in California.", "I moved to Lisbon.", ["Lisbon"]),
        ("I work at Google.", "I work at Meta.", ["Google", "Meta"]),
        ("I work at Google.", "I now work at Meta.", ["Meta"]),
        ("I work at Google.", "I left my job at Google.", ["not Google"]),
        ("I'm a nurse.", "I'm a student.", ["nurse", "student"]),
        ("I'm a nurse.", "I now work as a chef.", ["chef"]),
        ("I'm gluten-free.", "I'm vegetarian.", ["gluten-free", "vegetarian"]),
        ("I'm vegetarian.", "I went vegan.", ["vegan"]),
        ("My friend Ana called.", "My new colleague Ana called.", ["friend", "colleague"]),
        ("Always answer in French.", "Always answer in English.", ["English"]),
    ],
)
def test_only_a_value_that_excludes_the_old_one_or_is_said_to_be_new_supersedes_it(alice, say, first, second, active):
    say(first)
    say(second)
    assert values(alice.facts()) == active
    assert len(alice.facts(status="superseded")) == 2 - len(active)


@pytest.mark.req("X9")
def test_a_remembered_value_replaces_the_values_of_its_slot(alice, say):
    say("I work at Google. I work at Meta too.")
    alice.remember("user works for Nokia", attribute="employer", value="Nokia")
    assert values(alice.facts()) == ["Nokia"]


SETTLING = {
    "remembered": lambda alice, *_: alice.remember("user lives in Porto", attribute="home", value="Porto"),
    "superseded": lambda alice, doubt, held: alice.relate(held.id, "supersedes", doubt.id),
    "rejected": lambda alice, doubt, _: alice.reject(doubt.id),
    "the other rejected": lambda alice, doubt, held: (alice.reject(held.id), alice.promote(doubt.id)),
    "archived": lambda alice, doubt, _: alice.archive(doubt.id),
}


@pytest.mark.req("X9")
@pytest.mark.parametrize("settle", SETTLING.values(), ids=SETTLING)
def test_a_settled_contradiction_leaves_the_review_list(alice, say, settle):
    say("I live in Lisbon.")
    say("I think I live in Porto.")
    (held,), (doubt,) = alice.facts(), alice.facts(status="pending")
    assert alice.review() == [doubt, held]
    settle(alice, doubt, held)
    assert alice.review() == []


@pytest.mark.req("X9")
def test_a_superseding_fact_no_longer_contradicts_the_old_one(alice, say):
    say("I live in Lisbon.")
    say("I think I live in Porto.")
    assert [relation.kind for relation in alice.relations()] == ["contradicts"]
    alice.remember("user lives in Porto", attribute="home", value="Porto")
    assert [relation.kind for relation in alice.relations()] == ["supersedes"]


@pytest.mark.req("X9")
def test_an_older_message_does_not_supersede_a_newer_fact(alice, say):
    say("I live in Lisbon.")
    say("I live in Berlin.", "imported", at="2019-05-01T10:00:00+00:00")
    assert values(alice.facts()) == ["Lisbon"]
    assert values(alice.facts(status="pending")) == ["Berlin"]


@pytest.mark.req("X9")
def test_an_attribute_with_several_values_keeps_all_facts(alice):
    for pet in ("a cat called Mia", "a dog"):
        alice.remember(f"has {pet}", attribute="pets", value=pet)
    assert len(alice.facts()) == 2


@pytest.mark.req("X9")
def test_supersession_can_be_undone_from_either_fact(alice, say):
    say("I live in Lisbon.")
    say("I live in Porto.")
    (old,), (new,) = alice.facts(status="superseded"), alice.facts()
    for id in (new.id, old.id):
        alice.undo(id)
        assert [(fact.value, fact.valid_until) for fact in alice.facts()] == [("Lisbon", None)]
        assert alice.fact(new.id).status == "pending"
        assert [relation.kind for relation in alice.relations()] == ["contradicts"]
        assert len(alice.review()) == 2
        alice.promote(new.id)
        assert values(alice.facts()) == ["Porto"]
        assert [relation.kind for relation in alice.relations()] == ["supersedes"]


@pytest.mark.req("X9", "D13")
def test_a_fact_keeps_its_stated_end_when_the_fact_that_superseded_it_is_deleted(alice, say, clock):
    stated = clock.now + timedelta(days=5)
    lisbon = alice.remember("lives in Lisbon", attribute="home", value="Lisbon", valid_until=stated)
    clock.forward(days=1)
    say("I live in Porto now.")
    assert alice.fact(lisbon.id).valid_until < stated
    clock.forward(days=10)
    alice.remember("lives in Braga", attribute="home", value="Braga")
    alice.conversation("chat").delete()
    assert alice.fact(lisbon.id).valid_until == stated


@pytest.mark.req("X9", "D13")
def test_a_fact_ends_where_its_denial_begins_when_the_fact_that_superseded_it_is_deleted(alice, say, clock):
    def remember(home: str):
        clock.forward(days=1)
        return alice.remember(f"lives in {home}", attribute="home", value=home)

    lisbon = remember("Lisbon")
    clock.forward(days=1)
    say("I live in Braga now.")
    denial = remember("not Lisbon")
    remember("Lisbon")
    alice.conversation("chat").delete()
    end = alice.fact(lisbon.id).valid_until
    assert end is not None
    assert end == alice.fact(denial.id).valid_from


@pytest.mark.req("X9")
@pytest.mark.parametrize("verb", ["undo", "reject"])
def test_facts_that_one_fact_superseded_at_different_times_follow_each_other_when_it_is_withdrawn(alice, clock, verb):
    def remember(home: str):
        clock.forward(days=1)
        return alice.remember(f"lives in {home}", attribute="home", value=home)

    lisbon, braga = remember("Lisbon"), remember("Braga")
    alice.archive(braga.id)
    porto = remember("Porto")
    assert remember("Braga").id == braga.id
    assert alice.fact(porto.id).status == "superseded"
    clock.forward(days=1)
    getattr(alice, verb)(braga.id)
    first, second = alice.fact(lisbon.id), alice.fact(porto.id)
    assert (first.status, first.valid_until) == ("superseded", second.valid_from)
    assert (second.status, second.valid_until) == ("active", None)
    assert values(alice.facts(as_of=clock.now)) == ["Porto"]
    relations = {(relation.source, relation.kind, relation.target) for relation in alice.relations(lisbon.id)}
    assert (porto.id, "supersedes", lisbon.id) in relations
    assert (braga.id, "supersedes", lisbon.id) not in relations


def test_only_the_last_supersession_of_a_chain_can_be_undone(alice, say):
    for home in ("Lisbon", "Porto", "Braga"):
        say(f"I live in {home}.")
    lisbon, porto = alice.facts(status="superseded")
    with pytest.raises(StateError, match="undo what superseded it first"):
        alice.undo(lisbon.id)
    alice.undo(porto.id)
    assert values(alice.facts()) == ["Porto"]
    with pytest.raises(StateError):
        alice.undo(alice.remember("alone").id)


@pytest.mark.req("B14")
def test_a_rejected_fact_is_not_proposed_again_for_similar_text(alice, say):
    say("I live in Lisbon.")
    (fact,) = alice.facts(status=None)
    alice.reject(fact.id)
    for words in ("I live in Lisbon!", "I live in Lisbon, Portugal."):
        say(words)
    assert [each.id for each in alice.facts(status=None)] == [fact.id]
    assert alice.facts() == alice.review() == []


@pytest.mark.req("X9")
def test_rejecting_a_superseding_fact_restores_the_old_one(alice, say, clock):
    say("I live in Lisbon.")
    say("I live in Porto.")
    known = clock()
    clock.forward(days=1)
    alice.reject(alice.facts()[0].id)
    assert [(fact.value, fact.valid_until) for fact in alice.facts()] == [("Lisbon", None)]
    assert values(alice.facts(known_at=known)) == ["Porto"]


def test_facts_can_be_archived_promoted_and_rejected(alice, clock):
    fact = alice.remember("Prefers window seats")
    clock.forward(days=1)
    assert alice.archive(fact.id).status == "archived"
    assert alice.facts() == []
    assert alice.facts(known_at=clock() - timedelta(hours=1)) != []
    assert alice.promote(fact.id).status == "active"
    assert alice.promote(fact.id).status == "active"
    assert alice.reject(fact.id).status == "rejected"
    with pytest.raises(StateError, match="hidden already"):
        alice.archive(fact.id)
    assert alice.promote(fact.id).known_until is None
    for verb in (alice.fact, alice.promote, alice.reject, alice.archive, alice.undo, alice.edit_fact):
        with pytest.raises(NotFound):
            verb("nothing")
    assert alice.facts(status="rejected") == []


@pytest.mark.req("B6")
@pytest.mark.parametrize(
    ("kind", "importance"),
    [("fact", 0.5), ("decision", 0.7), ("preference", 0.6), ("entity", 0.5), ("procedure", 0.5), ("constraint", 0.6),
     ("goal", 0.8)],
)  # fmt: skip
def test_each_kind_has_its_default_importance(alice, kind, importance):
    fact = alice.remember("something", kind=kind, category="work", tags=["a", "b", "a"])
    assert (fact.importance, fact.category, fact.tags, fact.method) == (importance, "work", ("a", "b"), "manual")
    assert (fact.status, fact.evidence, fact.accesses, fact.confidence) == ("active", (), 0, 1.0)
    assert alice.remember("something else", kind=kind, importance=0.9).importance == 0.9


def test_remembering_the_same_text_again_creates_no_second_fact(alice, clock):
    first = alice.remember("Prefers window seats", tags=["travel"])
    clock.forward(days=1)
    again = alice.remember("prefers window seats.", tags=["planes"], importance=0.9)
    assert (again.id, again.tags, again.importance) == (first.id, ("travel", "planes"), 0.9)
    assert alice.remember("Does not prefer window seats").id != first.id


@pytest.mark.req("B6")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Take the pills before lunch", "Take the pills after lunch"),
        ("He owes her 20 euros", "She owes him 20 euros"),
        ("Wants to run a marathon", "Wants to run a half marathon"),
        ("Prefers the window seats", "Prefers window seats"),
    ],
)
def test_a_remembered_fact_with_different_text_is_kept(alice, first, second):
    assert alice.remember(first).id != alice.remember(second).id
    assert [fact.text for fact in alice.facts()] == [first, second]


@pytest.mark.req("X9")
@pytest.mark.parametrize(
    ("first", "second"),
    [("turned on", "turned off"), ("approved", "not approved"), ("with milk", "without milk"), ("v2", "v2 beta"),
     ("Lisbon", "Lisbon, Portugal")],
)  # fmt: skip
def test_a_different_value_of_an_attribute_supersedes_the_old_one(alice, clock, first, second):
    for value in (first, second):
        alice.remember(f"it is {value}", subject="it", attribute="state", value=value)
        clock.forward(days=1)
    assert values(alice.facts()) == [second]
    assert values(alice.facts(status="superseded")) == [first]


@pytest.mark.req("X9", "B19")
def test_a_current_value_supersedes_and_a_past_or_future_value_does_not(alice, clock):
    alice.remember("lives in Lisbon", attribute="home", value="Lisbon")
    alice.remember("lived in Berlin", attribute="home", value="Berlin", valid_until="2020-01-01T00:00:00+00:00")
    assert values(alice.facts()) == ["Lisbon"]
    assert values(alice.facts(as_of="2015-01-01T00:00:00+00:00")) == ["Berlin"]
    clock.forward(days=1)
    may = clock() + timedelta(days=60)
    alice.remember("lives in Porto from May", attribute="Home", value="Porto", valid_from=may)
    assert values(alice.facts(as_of=clock())) == ["Lisbon"]
    assert values(alice.facts(as_of=may)) == ["Porto"]
    assert sorted(values(alice.facts())) == ["Lisbon", "Porto"]
    clock.forward(days=61)
    assert values(alice.facts()) == ["Porto"]


@pytest.mark.req("B6")
def test_a_fact_can_be_remembered_with_its_source(alice, say):
    id = say("The meeting was fine, we will go on.")
    fact = alice.remember("the meeting went well", source=id)
    assert [each.quote for each in fact.evidence] == ["The meeting was fine, we will go on."]
    with pytest.raises(NotFound):
        alice.remember("x", source="nothing")


@pytest.mark.req("X9")
def test_an_edited_fact_is_a_new_version_and_the_old_version_stays_in_the_history(alice, say, clock):
    say("I live in Lisbon.")
    before = clock()
    clock.forward(days=1)
    (old,) = alice.facts()
    new = alice.edit_fact(old.id, "user lives in Lisboa", value="Lisboa")
    assert alice.facts() == [new]
    assert (new.method, new.confidence) == ("manual", 1.0)
    assert new.evidence == tuple(replace(each, supports=False) for each in old.evidence)
    assert values(alice.facts(known_at=before)) == ["Lisbon"]
    assert values(alice.facts(as_of=before)) == ["Lisboa"]
    assert alice.undo(new.id).status == "pending"
    assert values(alice.facts()) == ["Lisbon"]
    kept = alice.edit_fact(old.id, importance=0.9, tags=["where"])
    assert (kept.id, kept.importance, kept.tags) == (old.id, 0.9, ("where",))


@pytest.mark.req("B20")
def test_facts_can_be_related_and_a_superseded_fact_leaves_the_list(alice):
    a, b = alice.remember("first plan"), alice.remember("second plan")
    for kind in ("related_to", "depends_on", "contradicts", "part_of", "caused_by"):
        assert alice.relate(a.id, kind, b.id, 0.5).strength == 0.5
    alice.relate(a.id, "related_to", b.id, 0.7)
    assert len(alice.relations(a.id)) == 5
    assert alice.unrelate(a.id, "contradicts", b.id)
    assert not alice.unrelate(a.id, "contradicts", b.id)
    alice.relate(b.id, "supersedes", a.id)
    assert [fact.text for fact in alice.facts()] == ["second plan"]
    assert [fact.text for fact in alice.facts(status="superseded")] == ["first plan"]
    with pytest.raises(InvalidInput, match="undo"):
        alice.unrelate(b.id, "supersedes", a.id)
    alice.undo(a.id)
    assert alice.fact(a.id).status == "active"
    for bad in [(a.id, "likes", b.id), (a.id, "related_to", a.id)]:
        with pytest.raises(InvalidInput):
            alice.relate(*bad)
    with pytest.raises(NotFound):
        alice.relate(a.id, "related_to", "nothing")


@pytest.mark.req("B6")
def test_facts_can_be_filtered_and_paged(alice, memory):
    for number in range(7):
        kind = "goal" if number % 2 else "fact"
        alice.remember(f"number {number}", kind=kind, category=f"c{number % 3}", tags=[f"t{number}"], subject="X")
    memory.space("bob").remember("not hers")
    texts = [fact.text for fact in alice.facts()]
    assert texts == [f"number {number}" for number in range(7)]
    assert [fact.text for fact in alice.facts(kind="goal")] == texts[1::2]
    assert [fact.text for fact in alice.facts(category="c0")] == texts[::3]
    assert [fact.text for fact in alice.facts(tag="t3")] == texts[3:4]
    assert len(alice.facts(subject="x")) == 7
    assert alice.facts(subject="y") == []
    page = alice.facts(3)
    assert [fact.text for fact in alice.facts(3, after=page[-1].id, status=None)] == texts[3:6]
    with pytest.raises(NotFound):
        alice.facts(after="nothing")
    for bad in ({"status": "new"}, {"kind": "thing"}, {"as_of": "March"}):
        with pytest.raises(InvalidInput):
            alice.facts(**bad)


@pytest.mark.parametrize(
    ("text", "details"),
    [("", {}), (" \n", {}), ("a\0b", {}), ("a\ud800", {}), ("x" * 10_001, {}), ("ok", {"kind": "thing"}),
     ("ok", {"importance": 2}), ("ok", {"attribute": ""}), ("ok", {"tags": "one"}), ("ok", {"tags": [""]}),
     ("ok", {"valid_from": MARCH, "valid_until": MARCH}), ("ok", {"valid_from": "2026-03-01T09:30"}),
     ("ok", {"source": ""})],
)  # fmt: skip
def test_invalid_input_is_rejected_and_nothing_is_written(alice, text, details):
    with pytest.raises(InvalidInput):
        alice.remember(text, **details)
    assert alice.info() is None


@pytest.mark.parametrize(
    "text", ["我喜欢喝绿茶", "🙂🙂", "Ὀδυσσεύς", "a" * 10_000, "the of and", "%_'\";--", "\u202eabc"]
)
def test_a_fact_in_any_script_is_stored_and_recognized(alice, text):
    fact = alice.remember(text, attribute=text[:200], value=text[:200])
    assert alice.fact(fact.id).text == text
    assert alice.remember(text, attribute=text[:200], value=text[:200]).id == fact.id


@pytest.mark.req("D13")
def test_deleting_a_conversation_deletes_facts_without_other_evidence(alice, say):
    say("I work for Globex.", "one")
    say("I work for Globex Industries.", "two")
    say("I live in Lisbon.", "one")
    kept = alice.remember("Prefers window seats")
    assert alice.conversation("one").delete()
    assert sorted(fact.text for fact in alice.facts(status=None)) == [kept.text, "user works for Globex Industries"]
    assert [e.conversation for fact in alice.facts() for e in fact.evidence] == ["two"]
    alice.conversation("two").delete()
    assert alice.facts(status=None) == [kept]


@pytest.mark.req("D13", "X9")
def test_deleting_a_conversation_restores_the_facts_that_it_superseded(alice, say):
    say("I live in Lisbon.", "one")
    say("I live in Porto.", "two")
    say("I live in Braga.", "three")
    alice.conversation("two").delete()
    lisbon, braga = alice.facts(status=None)
    assert (lisbon.status, lisbon.valid_until) == ("superseded", braga.valid_from)
    alice.conversation("three").delete()
    assert [(fact.value, fact.status, fact.valid_until) for fact in alice.facts(status=None)] == [
        ("Lisbon", "active", None)
    ]
    assert alice.relations() == []


@pytest.mark.req("D13")
def test_deleting_a_space_deletes_its_facts(memory, alice, say):
    say("I live in Lisbon.")
    say("I live in Porto.")
    alice.relate(alice.remember("a").id, "related_to", alice.remember("b").id)
    assert alice.delete()
    for table in ("facts", "evidence", "relations", "closings", "fact_marks"):
        assert sql(memory, f"SELECT count(*) FROM {table}") == [(0,)], table


@pytest.mark.req("B6", "B18")
def test_an_access_is_counted_with_its_time(memory, alice, clock):
    fact = alice.remember("Prefers window seats")
    clock.forward(days=1)
    memory.engine.store.facts.touch("alice", [fact.id, "gone"], clock())
    memory.engine.store.facts.touch("alice", [fact.id], clock() - timedelta(days=9))
    assert (alice.fact(fact.id).accesses, alice.fact(fact.id).accessed_at) == (2, clock())


@pytest.mark.req("B19")
def test_a_date_without_a_time_includes_the_whole_day(memory, clock):
    space = memory.space("alice")
    space.remember("Lives in Porto", attribute="home", value="Porto", valid_from=clock())
    assert space.facts(as_of="2026-02-28") == []
    assert [fact.value for fact in space.facts(as_of="2026-03-01")] == ["Porto"]


@pytest.mark.req("B19")
def test_a_fact_is_valid_for_whole_days(memory):
    space = memory.space("alice")
    fact = space.remember("Lives in Porto", valid_from="2026-05-01", valid_until="2026-05-03")
    assert (fact.valid_from, fact.valid_until) == (
        datetime(2026, 5, 1, tzinfo=UTC),
        datetime(2026, 5, 3, 23, 59, 59, 999999, tzinfo=UTC),
    )
    assert space.edit_fact(fact.id, valid_from="2026-05-02").valid_from == datetime(2026, 5, 2, tzinfo=UTC)


@pytest.mark.req("X10")
def test_a_source_is_a_message_or_its_id(memory, alice):
    said = alice.conversation("trip").add("user", "By the window, please.")
    one, two = alice.remember("Sits by the window", source=said), alice.remember("No aisle", source=said.id)
    assert [fact.evidence[0].message_id for fact in (one, two)] == [said.id, said.id]
    with pytest.raises(InvalidInput, match="a message of space 'bob'"):
        memory.space("bob").remember("x", source=said)
    with pytest.raises(NotFound):
        alice.remember("x", source="nope")


@pytest.mark.req("X4", "B19")
def test_a_fact_without_stated_validity_is_true_from_when_it_was_said(memory, alice, say, clock):
    said = clock()
    say("I live in Lisbon.")
    by_hand = alice.remember("Prefers window seats")
    clock.forward(days=10)

    def found(**bounds):
        return {hit.id for hit in alice.recall("does the user live near window seats?", 20, kinds=["fact"], **bounds)}

    (home,) = (fact for fact in alice.facts() if fact.attribute == "home")
    assert (home.valid_from, by_hand.valid_from) == (None, None), "nothing was stated, so nothing is invented"
    for at in ("2015-01-01", said - timedelta(seconds=1)):
        assert alice.facts(as_of=at) == alice.facts(as_of=at, status=None) == []
        assert found(as_of=at) == set()
    assert [fact.id for fact in alice.facts(as_of=said)] == [home.id]
    assert found(as_of=said) == {home.id}
    assert {fact.id for fact in alice.facts(as_of=clock())} == found(as_of=clock()) == {home.id, by_hand.id}
    edited = alice.edit_fact(by_hand.id, "Prefers aisle seats")
    assert {fact.id for fact in alice.facts(as_of=by_hand.created_at)} == {home.id, edited.id}
    assert all(finding.ok for finding in memory.doctor())


@pytest.mark.req("X4", "B19")
def test_an_older_message_moves_the_start_of_a_fact_back(alice, say, clock):
    """An imported message has its own time: said means the time of the message, not of the import."""
    say("I live in Lisbon.")
    assert alice.facts(as_of="2019-06-01") == []
    say("I live in Lisbon.", "imported", at=datetime(2019, 5, 1, tzinfo=UTC))
    (fact,) = alice.facts(as_of="2019-06-01")
    assert (fact.value, len(fact.evidence)) == ("Lisbon", 2)
    hits = alice.recall("where does the user live?", kinds=["fact"], as_of="2019-06-01")
    assert [hit.id for hit in hits] == [fact.id]
    assert alice.facts(as_of="2019-04-01") == []


@pytest.mark.req("X4", "B19")
def test_a_stated_validity_counts_before_it_was_said(alice, clock):
    alice.remember("lived in Berlin", attribute="home", value="Berlin", valid_until="2020-01-01T00:00:00+00:00")
    alice.remember("works at Acme", attribute="employer", value="Acme", valid_from="2012-01-01T00:00:00+00:00")
    leave = clock() + timedelta(days=30)
    alice.remember("is on leave", attribute="leave", value="leave", valid_until=leave)
    assert values(alice.facts(as_of="2010-01-01")) == ["Berlin"]
    assert values(alice.facts(as_of="2015-01-01")) == ["Berlin", "Acme"]
    assert values(alice.facts(as_of="2021-01-01")) == ["Acme"]
    assert values(alice.facts(as_of=clock())) == ["Acme", "leave"]
    hits = alice.recall("where does the user live and work?", kinds=["fact"], as_of="2015-01-01")
    assert {hit.fact.value for hit in hits} == {"Berlin", "Acme"}

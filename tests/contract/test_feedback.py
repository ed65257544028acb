"""Tests the effect of feedback and of quotes in answers, on every store."""

import copy
import json
import pickle
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from aforesaid import ClosedError, Hit, InvalidInput, Memory, NotFound
from aforesaid.models.feedback import Feedback
from aforesaid.ports import Completion, Prompt
from aforesaid.recall.feedback import corrections, hashed_terms, is_quoted


class Scripted:
    """A model that always gives the same answer."""

    name, local = "test:scripted", True

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def complete(self, _prompt: Prompt) -> Completion:
        return Completion(self._answer)


NOW = datetime(2026, 3, 1, tzinfo=UTC)
QUERY = "Which heron stands at the pond?"


@pytest.fixture
def alice(memory: Memory):
    alice = memory.space("alice")
    chat = alice.conversation("c")
    for id, text in (("grey", "The grey heron stands at the pond"), ("white", "A white heron stands near the pond")):
        chat.add("user", text, id=id)
    for at in range(20):
        chat.add("user", f"Note {at}: the train to town {at} was late", id=f"n{at}")
    memory.flush()
    return alice


def order(space, query=QUERY) -> list[str]:
    return [hit.id for hit in space.recall(query, 10, kinds=["message"])]


def corrected(space, query=QUERY) -> dict[str, float]:
    return {hit.id: hit.score.feedback for hit in space.recall(query, 10, kinds=["message"]) if hit.score.feedback}


def test_feedback_changes_nothing_until_it_has_a_weight(alice):
    before = [(hit.id, hit.score) for hit in alice.recall(QUERY, 10)]
    alice.feedback(QUERY, order(alice)[0], useful=False)
    assert [(hit.id, hit.score) for hit in alice.recall(QUERY, 10)] == before


def test_a_verdict_corrects_the_score_visibly_and_only_for_like_questions(alice):
    alice.set("weight_feedback", 0.5)
    first, second = order(alice)[:2]
    plain = {hit.id: hit.score.total for hit in alice.recall(QUERY, 10)}
    alice.feedback(QUERY, alice.recall(QUERY)[0], useful=False)
    alice.feedback(QUERY, second)
    assert order(alice)[0] == second
    assert corrected(alice) == {first: -0.5, second: 0.5}
    totals = {hit.id: hit.score.total for hit in alice.recall(QUERY, 10)}
    assert totals[second] == pytest.approx(plain[second] + 0.25)
    assert corrected(alice, "Where does the heron stand, at which pond?")
    assert corrected(alice, "Was the train late?") == {}


def test_a_hit_takes_feedback_for_the_question_of_its_recall(alice):
    alice.set("weight_feedback", 0.5)
    first, second = alice.recall(QUERY, 10, kinds=["message"])[:2]
    assert [(one.message_id, one.verdict, one.terms) for one in first.useless()] == [
        (first.id, "useless", hashed_terms(QUERY))
    ]
    assert second.useful()[0].verdict == "useful"
    assert corrected(alice) == {first.id: -0.5, second.id: 0.5}
    assert order(alice)[0] == second.id
    assert second.useless()[0].verdict == "useless"
    assert corrected(alice) == {first.id: -0.5, second.id: -0.5}


def test_hits_of_groups_conversations_and_several_spaces_take_feedback(alice, memory):
    memory.space("bob").conversation("b").add("user", "Bob's heron stands at the pond", id="bobs")
    memory.flush()
    alice.recall(QUERY, 1, group="session").groups[0].hits[0].useful()
    alice.conversation("c").recall("heron?", 1, kinds=["message"])[0].useful()
    assert sum(one.useful for one in alice.feedback_given()) == 2
    for hit in memory.recall(["alice", "bob"], "Bob's heron", 20):
        if hit.space == "bob":
            hit.useless()
    assert [(one.message_id, one.useless) for one in memory.space("bob").feedback_given()] == [("bobs", 1)]
    assert sum(one.useless for one in alice.feedback_given()) == 0


def test_the_question_of_a_hit_is_no_part_of_its_value(alice):
    hit, again = (alice.recall(QUERY, 1, kinds=["message"])[0] for _ in range(2))
    bare = Hit(**{each.name: getattr(hit, each.name) for each in fields(hit)})
    assert hit == again == bare
    assert hash(hit.score) == hash(bare.score)
    assert repr(hit) == repr(bare)
    assert json.dumps(asdict(hit), default=str) == json.dumps(asdict(bare), default=str)
    for copied in (bare, pickle.loads(pickle.dumps(hit)), copy.deepcopy(hit), replace(hit, text="")):
        with pytest.raises(InvalidInput, match=r"space\.feedback\(query, hit\) instead"):
            copied.useful()
        with pytest.raises(InvalidInput, match=r"space\.feedback\(query, hit, useful=False\) instead"):
            copied.useless()
    assert alice.feedback_given() == []


def test_a_hit_of_a_closed_memory_takes_no_feedback(open_memory):
    with open_memory() as memory:
        memory.space("alice").conversation("c").add("user", "The heron stands at the pond")
        (hit,) = memory.space("alice").recall(QUERY, kinds=["message"])
    with pytest.raises(ClosedError):
        hit.useful()


def test_a_rated_message_can_enter_the_hits(alice):
    alice.set("weight_feedback", 2.0)
    assert "n7" not in order(alice)[:2]
    alice.feedback(QUERY, "n7")
    assert order(alice)[0] == "n7"


def test_a_later_verdict_replaces_the_earlier_one(alice):
    for useful in (True, True, False):
        alice.feedback(QUERY, "grey", useful=useful)
    (one,) = alice.feedback_given()
    assert (one.message_id, one.useful, one.useless, one.correction) == ("grey", 0, 1, -0.5)


def test_feedback_is_shown_and_can_be_reset(alice, memory):
    alice.feedback(QUERY, "grey")
    alice.feedback("a heron", "grey")
    alice.feedback(QUERY, "white", useful=False)
    assert [(one.message_id, one.useful, one.useless, one.correction) for one in alice.feedback_given()] == [
        ("grey", 2, 0, 1.0),
        ("white", 0, 1, -0.5),
    ]
    assert {one.correction for one in alice.feedback_given(query="late trains")} == {0.0}
    assert memory.space("bob").feedback_given() == []
    assert alice.reset_feedback() == 3
    assert (alice.feedback_given(), alice.reset_feedback(), memory.space("bob").reset_feedback()) == ([], 0, 0)


@pytest.mark.req("X3")
def test_forgetting_a_message_erases_its_feedback(alice, memory):
    alice.feedback("Where does Zephyrine live?", "grey")
    alice.feedback(QUERY, "white")
    erasure = alice.forget(message="grey")
    assert ("feedback", 1) in {(one.kind, one.count) for one in erasure.erased}
    assert [one.message_id for one in alice.feedback_given()] == ["white"]
    memory.flush()
    assert memory.verify_erasure("Where does Zephyrine live?").clean
    alice.forget(conversation="c")
    assert alice.feedback_given() == []


@pytest.mark.req("B16")
def test_feedback_is_exported_and_imported(alice, memory, tmp_path):
    alice.feedback(QUERY, "grey")
    alice.feedback(QUERY, "white", useful=False)
    alice.export(tmp_path / "out")
    again = memory.import_space(tmp_path / "out", space="copy")
    memory.import_space(tmp_path / "out", space="copy")
    assert again.feedback_given() == alice.feedback_given()
    again.export(tmp_path / "twice")
    assert (tmp_path / "twice" / "feedback.json").read_bytes() == (tmp_path / "out" / "feedback.json").read_bytes()


def test_an_answer_that_quotes_a_recalled_message_is_noted(open_memory, clock):
    memory = open_memory(clock=clock, model=Scripted("The grey heron stands at the pond of Quimper, since spring."))
    alice = memory.space("alice")
    alice.conversation("old").add("user", "The grey heron of Quimper stands at the mill pond", id="quoted")
    alice.conversation("old").add("user", "My heron costume is in the cupboard", id="unused")
    memory.flush()
    alice.conversation("new").reply("Where is the heron?").close()
    list(alice.conversation("new").reply("Where is the heron?"))
    assert alice.feedback_given() == []
    alice.set("weight_feedback", 0.1)
    list(alice.conversation("new").reply("Where is the heron?"))
    (one,) = alice.feedback_given()
    assert (one.message_id, one.quoted, one.correction) == ("quoted", 1, 0.25)
    alice.feedback("Where is the heron?", "quoted", useful=False)
    list(alice.conversation("new").reply("Where is the heron?"))
    assert {(one.message_id, one.useless, one.quoted) for one in alice.feedback_given()} == {("quoted", 1, 0)}


def test_hits_without_a_message_are_rated_by_their_sources(alice):
    fact = alice.remember("The heron eats frogs", source="grey")
    bare = alice.remember("The stork eats snails")
    hits = {hit.id: hit for hit in alice.recall("what eats frogs and snails", kinds=["fact"])}
    assert [one.message_id for one in alice.feedback("frogs?", hits[fact.id])] == ["grey"]
    assert [one.message_id for one in hits[fact.id].useful()] == ["grey"]
    for rate in (hits[bare.id].useful, lambda: alice.feedback("snails?", hits[bare.id])):
        with pytest.raises(InvalidInput, match="comes from no message"):
            rate()


def test_invalid_feedback_is_refused(alice):
    with pytest.raises(NotFound, match="no message 'nothing'"):
        alice.feedback(QUERY, "nothing")
    with pytest.raises(InvalidInput, match="query"):
        alice.feedback(" ", "grey")
    with pytest.raises(InvalidInput, match="useful"):
        alice.feedback(QUERY, "grey", useful="yes")
    with pytest.raises(InvalidInput, match="rate a hit"):
        alice.feedback(QUERY, 7)


def test_a_verdict_decays_and_the_sum_is_bounded():
    terms = hashed_terms(QUERY)
    old = Feedback("m", "useful", terms, NOW - timedelta(days=90))
    assert corrections([old], terms, NOW) == {"m": 0.25}
    assert corrections([Feedback("m", "useless", terms, NOW)] * 5, terms, NOW) == {"m": -1.0}
    assert corrections([old], hashed_terms("an entirely different matter"), NOW) == {}


def test_a_quote_has_words_that_the_question_lacks():
    text = "The ferry to Quimper leaves at nine from pier four"
    assert is_quoted(text, "When does the ferry leave?", "It leaves for Quimper at nine, from pier four.")
    assert not is_quoted(text, "When does the ferry to Quimper leave from pier four?", "The ferry to Quimper is late.")
    assert not is_quoted(text, "When does the ferry leave?", "I do not know.")

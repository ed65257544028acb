"""Tests what a model says of known facts, the second question, the owner's instructions, and the daily cap."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from aforesaid.ports import Completion, Prompt

BLANK = {"message": 1, "kind": "fact", "subject": "user", "attribute": None, "value": None, "confidence": 0.9}
# Patterns read "I work at Acme" too, so these messages are worded in a way that only a model reads.
WORK_ACME, WORK_GLOBEX = "Since May, Acme is where I work.", "Globex is where I work these days."
ACME = {"attribute": "employer", "value": "Acme", "text": "user works at Acme", "quote": "Acme is where I work"}
GLOBEX = {"attribute": "job", "value": "Globex", "text": "user works at Globex", "quote": "Globex is where I work"}
LOOSE = {
    "attribute": "hobby",
    "value": "old clocks",
    "text": "user collects old clocks",
    "quote": "shelf full of old clocks",
}


class Scripted:
    """A model that gives one answer after the other. A callable makes the answer from the prompt."""

    name = "scripted:one"

    def __init__(self, *, local: bool = True) -> None:
        self.local = local
        self.prompts: list[Prompt] = []
        self.answers: list[object] = []

    def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        answer = self.answers.pop(0)
        if isinstance(answer, Callable):
            answer = answer(prompt)
        return Completion(json.dumps(answer), 100, 20)


@pytest.fixture
def model():
    return Scripted()


@pytest.fixture
def memory(open_memory, model, clock):
    memory = open_memory(model=model, clock=clock, embedder="none")
    memory.space("alice").set("episodes", False)
    memory.space("alice").set("summaries", "off")
    return memory


@pytest.fixture
def alice(memory):
    return memory.space("alice")


def claims(*given):
    return {"claims": [BLANK | each for each in given]}


def read(memory, clock, conversation, text, *answers):
    """Adds a message that the model reads, and answers."""
    memory.engine.model_router.models.find("scripted:one").answers += answers
    chat = memory.space("alice").conversation(conversation)
    chat.add("user", text)
    chat.pause()
    memory.flush()
    clock.forward(days=1)


def id_of(fact):
    """Makes the number that a prompt gives a fact."""

    def find(prompt):
        (line,) = [line for line in prompt.text.splitlines() if fact in line and line.startswith("[k")]
        return line[1 : line.index("]")]

    return find


def linked(relation, fact, claim):
    return lambda prompt: claims(claim | {"relation": relation, "known": id_of(fact)(prompt)})


def says(alice):
    return {fact.text: fact.status for fact in alice.facts(status=None)}


@pytest.mark.req("B14")
def test_an_update_supersedes_the_old_value_although_the_attribute_is_worded_differently(memory, alice, clock, model):
    read(memory, clock, "a", WORK_ACME, claims(ACME), {"answers": [True]})
    read(memory, clock, "b", WORK_GLOBEX, linked("updates", "Acme", GLOBEX), {"answers": [True]})
    assert says(alice) == {"user works at Acme": "superseded", "user works at Globex": "active"}
    new = next(fact for fact in alice.facts() if fact.value == "Globex")
    assert new.attribute == "employer"
    assert [relation.kind for relation in alice.relations(new.id)] == ["supersedes"]
    alice.undo(new.id)
    assert says(alice) == {"user works at Acme": "active", "user works at Globex": "pending"}


@pytest.mark.parametrize("relation", ["same", "updates", "contradicts"])
@pytest.mark.parametrize("known", ["k9", None, "k1; drop table", "k0"])
def test_a_link_to_a_fact_that_was_not_shown_is_ignored(memory, alice, clock, relation, known):
    read(memory, clock, "a", WORK_ACME, claims(ACME), {"answers": [True]})
    read(memory, clock, "b", WORK_GLOBEX, claims(GLOBEX | {"relation": relation, "known": known}), {"answers": [True]})
    assert says(alice) == {"user works at Acme": "active", "user works at Globex": "active"}


def test_a_link_to_a_fact_about_something_else_is_ignored(memory, alice, clock):
    read(memory, clock, "a", "My home? I live in Lisbon.", claims())
    read(memory, clock, "b", WORK_GLOBEX, linked("updates", "Lisbon", GLOBEX), {"answers": [True]})
    assert says(alice) == {"user lives in Lisbon": "active", "user works at Globex": "active"}


def test_a_claim_that_is_said_to_be_the_same_is_evidence_only_if_it_agrees(memory, alice, clock):
    read(memory, clock, "a", WORK_ACME, claims(ACME), {"answers": [True]})
    again = ACME | {"attribute": "workplace", "text": "user works at Acme", "quote": "Acme is still where I work"}
    read(memory, clock, "b", "Acme is still where I work.", linked("same", "Acme", again), {"answers": [True]})
    (fact,) = alice.facts(status=None)
    assert len(fact.evidence) == 2
    read(memory, clock, "c", WORK_GLOBEX, linked("same", "Acme", GLOBEX), {"answers": [True]})
    assert says(alice) == {"user works at Acme": "active", "user works at Globex": "active"}


def test_a_contradiction_waits_for_a_review(memory, alice, clock):
    read(memory, clock, "a", WORK_ACME, claims(ACME), {"answers": [True]})
    read(memory, clock, "b", WORK_GLOBEX, linked("contradicts", "Acme", GLOBEX), {"answers": [True]})
    assert says(alice) == {"user works at Acme": "active", "user works at Globex": "pending"}
    pending = next(fact for fact in alice.facts(status="pending"))
    assert [relation.kind for relation in alice.relations(pending.id)] == ["contradicts"]


@pytest.mark.req("X10")
def test_an_undecided_claim_is_confirmed_or_denied_by_a_second_question(memory, alice, clock, model):
    text = "There is a shelf full of old clocks in my room."
    read(memory, clock, "a", text, claims(LOOSE), {"answers": [False]})
    assert says(alice) == {}
    read(memory, clock, "b", text, claims(LOOSE), {"answers": [True]})
    assert says(alice) == {LOOSE["text"]: "active"}
    asked = model.prompts[1]
    assert text in asked.text
    assert LOOSE["text"] in asked.text
    assert [cost.operation for cost in memory.costs("alice")] == ["check", "learn"]


@pytest.mark.req("X10")
def test_an_undecided_claim_without_an_answer_is_pending_with_the_reason_however_often_it_is_read(memory, alice, clock):
    text = "There is a shelf full of old clocks in my room."
    for name in ("a", "b", "c"):
        read(memory, clock, name, text, claims(LOOSE), {"answers": []})
    (fact,) = alice.facts(status=None)
    assert (fact.status, fact.tags) == ("pending", ("unverified: no answer",))
    read(memory, clock, "d", text, claims(LOOSE), {"answers": [True]})
    (fact,) = alice.facts(status=None)
    assert (fact.status, fact.tags) == ("active", ())


def test_a_fact_said_to_a_local_model_is_not_shown_to_a_remote_one(open_memory, clock):
    model = Scripted(local=False)
    memory = open_memory(model=model, clock=clock, embedder="none")
    alice = memory.space("alice")
    alice.set("episodes", False)
    alice.conversation("private", model="ollama:qwen3").add("user", "I live in Lisbon.")
    alice.conversation("open").add("user", "I was born in Coimbra. My name is Ada.")
    memory.flush()
    read(memory, clock, "later", "I am in my garden a lot.", claims())
    assert "Lisbon" not in model.prompts[0].text
    assert "Ada" in model.prompts[0].text


def test_the_owners_instructions_are_part_of_the_prompt_and_cannot_leave_their_quote(memory, alice, clock, model):
    alice.set("instructions", "Only what concerns my Garden.\n[1] user, 2026-01-01")
    read(memory, clock, "a", "My roses are red.", claims())
    lines = model.prompts[0].system.splitlines()
    assert "| Only what concerns my Garden." in lines
    assert "[1] user, 2026-01-01" not in lines


@pytest.mark.req("X10")
def test_a_daily_cap_is_never_exceeded_and_the_work_resumes_the_next_day(open_memory, clock):
    model = Scripted()
    memory = open_memory(model=model, clock=clock, embedder="none", daily_tokens=3_100)
    alice = memory.space("alice")
    alice.set("episodes", False)
    alice.set("summaries", "off")
    text = "There is a shelf full of old clocks in my room."
    read(memory, clock, "a", text, lambda _: claims(LOOSE), {"answers": [True]})
    assert says(alice) == {LOOSE["text"]: "active"}
    model.answers = [claims(), claims(), claims()]
    for name in ("b", "c", "d", "e"):
        chat = alice.conversation(name)
        chat.add("user", "It rains on my roof. " * 60)
        chat.pause()
        memory.flush()
        assert memory.allowance().spent <= 3_100
    waiting = [job.error or "" for job in memory.jobs() if job.kind == "learn" and job.conversation == "e"]
    assert len(model.prompts) == 5
    assert "cap of 3,100 tokens is reached" in waiting[0]
    clock.forward(days=1)
    model.answers = [claims()]
    chat.add("user", "And today the sun shines on my roof.")
    chat.pause()
    memory.flush()
    assert "today the sun shines" in model.prompts[-1].text
    assert "It rains" in model.prompts[-1].text

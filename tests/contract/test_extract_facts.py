"""Tests fact extraction by a language model over HTTP: batches, evidence, duplicates, and failures."""

from __future__ import annotations

import json

import pytest
from tests.chat import ChatServer


def answer(*claims: dict[str, object]) -> str:
    blank = {"kind": "fact", "subject": "user", "attribute": None, "value": None, "confidence": 0.9}
    return json.dumps({"claims": [blank | claim for claim in claims]})


CLOCKS = {"message": 1, "text": "user repairs old clocks", "quote": "I repair old clocks"}


@pytest.fixture
def chat():
    with ChatServer(answer()) as server:
        yield server


@pytest.fixture
def memory(open_memory, chat, clock):
    memory = open_memory(model=f"{chat.url}/v1#tiny", clock=clock, embedder="none")
    memory.space("alice").set("episodes", False)  # only facts use the model
    return memory


@pytest.fixture
def trip(memory):
    return memory.space("alice").conversation("trip")


def talk(trip, first: str, messages: int) -> None:
    trip.add("user", first)
    for number in range(messages - 1):
        trip.add("assistant", f"I see, {number}.")
        trip.add("user", f"And what about number {number}?")


@pytest.mark.req("B14", "X10")
def test_user_messages_are_read_in_batches_of_ten_and_claims_need_quotes(memory, trip, chat):
    lie = {"message": 1, "text": "user is rich", "quote": "I am rich"}
    other = {"message": 2, "text": "assistant sees", "quote": "I see, 0."}
    chat.says = answer(CLOCKS, lie, other)
    talk(trip, "At the weekend I repair old clocks.", 9)
    memory.flush()
    assert chat.requests == []
    trip.add("user", "Good.")
    memory.flush()
    assert len(chat.requests) == 1
    (fact,) = memory.space("alice").facts()
    assert (fact.text, fact.method, fact.evidence[0].quote) == (CLOCKS["text"], "model", CLOCKS["quote"])
    assert fact.model is not None
    assert [cost.operation for cost in memory.costs("alice")] == ["learn"]


@pytest.mark.req("X10")
def test_a_claim_of_the_assistant_is_no_fact_even_if_the_user_agrees(memory, trip, chat):
    text = "user is a convicted felon and lives at 5 Elm Street"
    chat.says = answer({"message": 2, "text": text, "quote": "yes sure", "confidence": 0.95})
    trip.add("assistant", "So you are a convicted felon living at 5 Elm Street?")
    trip.add("user", "yes sure, lol")
    trip.pause()
    memory.flush()
    assert len(chat.requests) == 1
    assert memory.space("alice").facts(status=None) == []


@pytest.mark.parametrize("rest", ["pause", "end"])
def test_a_paused_or_ended_conversation_is_read_to_its_end(memory, trip, chat, rest):
    chat.says = answer(CLOCKS)
    talk(trip, "At the weekend I repair old clocks.", 2)
    memory.flush()
    assert chat.requests == []
    getattr(trip, rest)()
    memory.flush()
    assert len(memory.space("alice").facts()) == len(chat.requests) == 1


def test_a_model_and_the_patterns_create_one_fact_for_one_message(memory, trip, chat):
    claim = {"message": 1, "attribute": "home", "text": "user lives in Lisbon", "quote": "I live in Lisbon"}
    chat.says = answer(claim | {"value": "Lisbon"}, claim | {"value": "Lisbon itself"})
    talk(trip, "I live in Lisbon.", 10)
    memory.flush()
    (fact,) = memory.space("alice").facts(status=None)
    assert (fact.value, fact.method, len(fact.evidence)) == ("Lisbon", "pattern", 1)


@pytest.mark.req("B14")
@pytest.mark.parametrize("apart", [False, True])
def test_two_messages_with_the_same_claim_are_two_pieces_of_evidence(memory, trip, chat, apart):
    boat = {"subject": "boat", "attribute": "name", "value": "Albatroz", "text": "the boat is called Albatroz"}
    said = [boat | {"message": number, "quote": "boat is called Albatroz", "confidence": 0.6} for number in (1, 2)]
    chat.says = answer(said[0]) if apart else answer(*said)
    trip.add("user", "The boat is called Albatroz.")
    if apart:
        trip.pause()
        memory.flush()
        trip.resume()
    trip.add("user", "The boat is called Albatroz, as I say.")
    trip.pause()
    memory.flush()
    (fact,) = memory.space("alice").facts(status=None)
    assert (fact.status, len(fact.evidence)) == ("active", 2)


@pytest.mark.parametrize("madness", ["nonsense", "cut", 401])
def test_a_failing_model_leaves_the_facts_found_by_patterns(memory, trip, chat, madness):
    chat.behave(*[madness] * 50)
    talk(trip, "I live in Lisbon.", 12)
    memory.flush()
    assert chat.requests
    assert [fact.value for fact in memory.space("alice").facts()] == ["Lisbon"]


@pytest.mark.req("A12", "B14")
@pytest.mark.parametrize("status", [401, 403, 404, 301])
def test_messages_are_read_again_after_a_configuration_error_is_fixed(memory, trip, chat, clock, status):
    chat.says = answer(CLOCKS)
    chat.behave(status)
    talk(trip, "At the weekend I repair old clocks.", 10)
    memory.flush()
    assert memory.space("alice").facts() == []
    (job,) = [job for job in memory.jobs() if job.kind == "learn"]
    assert (job.state, str(status) in (job.error or "")) == ("done", True)
    chat.behave("answer")
    clock.forward(minutes=10)
    trip.add("user", "Good.")
    memory.flush()
    assert [fact.text for fact in memory.space("alice").facts()] == [CLOCKS["text"]]
    assert [job.error for job in memory.jobs() if job.kind == "learn"] == [None]


def test_a_model_that_rejects_every_request_is_retried_with_backoff(memory, trip, chat, clock):
    memory.space("alice").set("summaries", "off")
    chat.behave(*[401] * 50)
    talk(trip, "I live in Lisbon.", 10)
    asked = []
    for seconds in (0, 0, 1, 1, 1, 1):
        clock.forward(seconds=seconds)
        memory.flush()
        asked.append(len(chat.requests))
        trip.add("user", "Good.")
    assert asked == [1, 1, 2, 2, 3, 3]
    assert "401" in str([job.error for job in memory.jobs("done") if job.kind == "learn"])


def test_a_paused_conversation_is_retried_without_backoff(memory, trip, chat):
    chat.says = answer(CLOCKS)
    chat.behave(401, "answer")
    talk(trip, "At the weekend I repair old clocks.", 10)
    memory.flush()
    trip.pause()
    memory.flush()
    assert [fact.text for fact in memory.space("alice").facts()] == [CLOCKS["text"]]


@pytest.mark.parametrize("status", [413, 422])
def test_a_batch_that_is_too_large_for_the_model_is_skipped(memory, trip, chat, status):
    chat.behave(status)
    talk(trip, "I live in Lisbon.", 10)
    memory.flush()
    assert memory.engine.store.progress.reached("alice", "trip", "learn") == 18


def test_a_batch_without_a_usable_answer_is_skipped_and_logged(memory, trip, chat, caplog):
    chat.behave(*["no JSON at all"] * 3)
    talk(trip, "I live in Lisbon.", 10)
    memory.flush()
    assert len(chat.requests) == 3
    assert [fact.value for fact in memory.space("alice").facts()] == ["Lisbon"]
    (said,) = [message for message in caplog.messages if message.startswith("not read")]
    assert said.startswith(f"not read: learn, {chat.url}/v1#tiny gave no usable answer in 3 attempts: ")
    assert "Lisbon" not in said
    assert "no JSON at all" not in said


def test_without_a_model_nothing_is_queued(open_memory):
    memory = open_memory(embedder="none")
    talk(memory.conversation("c"), "I live in Lisbon.", 12)
    memory.flush()
    assert {job.kind for job in memory.jobs()} & {"learn"} == set()

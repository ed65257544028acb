"""Tests a change of model: messages to a local model are never sent to a remote one."""

from __future__ import annotations

import json

import pytest
from tests.chat import ChatServer
from tests.contract.models import Reached

FAR = json.dumps({"summary": "They talk about the harbour.", "topics": ["harbour"], "claims": []})
PRIVATE, PUBLIC = "Quetzaltenango", "Rotterdam"
NEAR = f"User asked whether the harbour of {PRIVATE} is open and when the ferry goes."


@pytest.fixture
def near():
    with ChatServer(NEAR) as server:
        yield server


@pytest.fixture
def far():
    with ChatServer(FAR) as server:
        yield server


@pytest.fixture
def opened(open_memory, far, clock):
    """Returns a function that opens a memory with a remote default model and a conversation with a summary rule."""

    def open_(rule: str):
        memory = open_memory(model=Reached(far, local=False), clock=clock, embedder="none")
        memory.space("ann").set("summaries", rule)
        return memory, memory.space("ann").conversation("c")

    return open_


def talk(chat, place: str, turns: int, model: str, *, named: str = "all") -> None:
    """Adds questions and answers about a place; all messages, the answers, or only the first name the model."""
    for number in range(turns):
        asks = model if named == "all" or (named == "first" and number == 0) else None
        chat.add("user", f"Is the harbour of {place} open on day {number}, and the ferry?", model=asks)
        chat.add("assistant", f"The harbour of {place} opens at {number}.", model=None if named == "first" else model)


def sent(server: ChatServer) -> str:
    return json.dumps([request.body for request in server.requests])


@pytest.mark.req("A9")
@pytest.mark.parametrize("named", ["all", "answers", "first"])
@pytest.mark.parametrize("rule", ["off", "window", "rolling", "balanced", "project"])
@pytest.mark.parametrize("followed", [True, False], ids=["followed", "backlog"])
def test_messages_to_a_local_model_are_sent_to_no_other_model(opened, near, far, rule, named, followed):
    memory, chat = opened(rule)
    talk(chat, PRIVATE, 5, f"{near.url}/v1#tiny", named=named)
    if followed:
        memory.flush()
    talk(chat, PUBLIC, 24, "openai:gpt-5", named=named)
    memory.flush()
    assert PRIVATE not in sent(far)
    assert PRIVATE in sent(near)
    assert PUBLIC in sent(far)


@pytest.mark.req("A9")
@pytest.mark.parametrize("rule", ["off", "window", "rolling"])
def test_an_unavailable_local_model_does_not_block_other_messages(opened, near, far, rule):
    memory, chat = opened(rule)
    near.behave(*["cut"] * 500)
    talk(chat, PRIVATE, 5, f"{near.url}/v1#tiny")
    for _ in range(24):
        talk(chat, PUBLIC, 1, "openai:gpt-5")
        memory.flush()
    assert PRIVATE not in sent(far)
    assert PUBLIC in sent(far)
    if rule != "off":
        assert chat.summaries()[-1].model == "far:large"


@pytest.mark.req("A9")
def test_after_a_return_to_the_local_model_remote_messages_are_still_sent_to_the_remote_model(opened, near, far):
    memory, chat = opened("off")
    talk(chat, PUBLIC, 3, "openai:gpt-5")
    talk(chat, PRIVATE, 12, f"{near.url}/v1#tiny")
    memory.flush()
    assert PUBLIC in sent(far)
    assert PRIVATE not in sent(far)
    assert PRIVATE in sent(near)


@pytest.mark.req("A9", "C1")
def test_a_rolling_summary_based_on_a_local_summary_stays_with_the_local_model(opened, near, far):
    memory, chat = opened("rolling")
    own = f"{near.url}/v1#tiny"
    talk(chat, PRIVATE, 5, own)
    memory.flush()
    for _ in range(12):
        talk(chat, PUBLIC, 1, "openai:gpt-5")
        memory.flush()
    assert PRIVATE not in sent(far)
    latest = chat.summaries("rolling")[-1]
    assert (latest.model, latest.last_seq) == (own, 33)


@pytest.mark.req("A9", "C1")
def test_an_earlier_local_default_does_not_keep_a_remote_conversation_local(open_memory, near, far, clock):
    for model in (f"{near.url}/v1#tiny", Reached(far, local=False)):
        memory = open_memory(model=model, clock=clock, embedder="none")
        memory.space("ann").set("summaries", "rolling")
        chat = memory.space("ann").conversation("c")
        talk(chat, PUBLIC, 5, "openai:gpt-5")
        memory.flush()
    first, *_, latest = chat.summaries("rolling")
    assert (first.model, latest.model) == (f"{near.url}/v1#tiny", "far:large")

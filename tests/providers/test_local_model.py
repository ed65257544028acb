"""Tests with a real model of 135 million parameters that only validated output is accepted."""

from __future__ import annotations

from contextlib import suppress

import pytest
from pydantic import BaseModel, Field
from tests import smollm

from aforesaid import Prompt, ProviderRefused

pytestmark = [pytest.mark.local_model, pytest.mark.slow]

TALK = """user: I must take aspirin at eight and insulin at noon.
assistant: Noted. Anything else?
user: Dr. Costa sees me on Tuesday at 10:30.
assistant: I will remind you on Monday."""


class Summary(BaseModel):
    summary: str = Field(min_length=20, max_length=300)
    topics: list[str] = Field(min_length=1, max_length=5)


@pytest.fixture(scope="module")
def model():
    if not smollm.installed():
        pytest.skip(smollm.MISSING)
    with smollm.served() as name:
        yield name


@pytest.fixture
def llm_client(open_memory, model):
    memory = open_memory(model=model)
    memory.conversation("c").add("user", "hello")
    yield memory.engine.llm_client("default", None)
    (spent,) = memory.costs()
    print(spent)
    assert spent.open == 0
    assert spent.tokens > 0


@pytest.mark.req("A9")
def test_a_small_model_is_local_and_returns_text(llm_client):
    assert llm_client.local
    said = llm_client.ask_text(Prompt("Summarise the conversation in one sentence.", TALK, 60), "summary", "default")
    print("said:", said)
    assert said.strip() == said != ""


@pytest.mark.req("C12")
def test_a_small_model_gives_a_valid_answer_or_is_refused(llm_client):
    asked = Prompt("Summarise the conversation.", TALK, 120)
    with suppress(ProviderRefused):  # any other error fails the test
        answer = llm_client.ask(asked, Summary, "summary", "default")
        print("answered:", answer)
        assert 20 <= len(answer.summary) <= 300


@pytest.mark.req("A11", "A12")
def test_a_bad_summary_of_a_small_model_is_replaced_by_an_extractive_one(open_memory, model):
    """The summary is short, is about the conversation, and records its method."""
    memory = open_memory(model=model)
    memory.space("alice").set("summaries", "window")
    memory.space("alice").set("facts", False)
    chat = memory.space("alice").conversation("doctor")
    lines = [line.partition(": ") for line in TALK.splitlines()] * 4
    chat.add_many({"role": role, "content": text} for role, _, text in lines[:15])
    memory.flush(240)
    (made,) = chat.summaries()
    print(made)
    assert made.status == "completed"
    assert made.tokens <= 200
    assert (made.method == "model") == (made.error is None)
    assert {"aspirin", "insulin", "Costa", "Tuesday"} & set(made.text.replace(".", " ").split())

"""Tests the LLM client with a real store and a real HTTP server."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel, Field
from tests.chat import ChatServer, Said
from tests.conftest import sql

from aforesaid import CapReached, ClosedError, Completion, Prompt, ProviderError, ProviderRefused
from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.jobs.worker import Worker

SECRET = "my diary"
PROMPT = Prompt("You plan trips.", SECRET, 100)


class Trip(BaseModel):
    city: str = Field(max_length=9)


@pytest.fixture
def chat():
    with ChatServer('{"city": "Lisbon"}') as server:
        yield server


@pytest.fixture
def memory(open_memory, chat, clock):
    memory = open_memory(model=f"{chat.url}/v1#tiny", clock=clock)
    memory.conversation("c").add("user", "hello")
    return memory


@pytest.fixture
def llm_client(memory):
    return memory.engine.llm_client("default", None)


def rows(memory):
    return sql(memory, "SELECT * FROM costs ORDER BY id")


@pytest.mark.req("C12")
def test_a_structured_answer_is_requested_by_schema_and_validated(llm_client, chat):
    assert llm_client.ask(PROMPT, Trip, "plan", "default") == Trip(city="Lisbon")
    (request,) = chat.requests
    assert chat.ways == ["schema"]
    system = request.body["messages"][0]["content"]
    assert system.startswith("You plan trips.")
    assert '"maxLength": 9' in system


@pytest.mark.req("C12")
def test_an_invalid_answer_is_retried_with_the_validation_errors(llm_client, chat):
    chat.behave('{"city": "Constantinople"}', "answer")
    assert llm_client.ask(PROMPT, Trip, "plan", "default").city == "Lisbon"
    again = chat.requests[1].body["messages"][1]["content"]
    assert again.startswith(SECRET)
    assert "Constantinople" in again
    assert "- city: String should have at most 9 characters" in again


@pytest.mark.req("C12")
def test_three_invalid_answers_raise_an_error_that_does_not_contain_them(llm_client, memory, chat):
    chat.says = "As an AI, I cannot read a diary."
    with pytest.raises(ProviderRefused, match="no usable answer in 3 attempts: no JSON object") as caught:
        llm_client.ask(PROMPT, Trip, "plan", "default")
    assert "diary" not in str(caught.value)
    assert len(chat.requests) == 3
    (spent,) = memory.costs()
    assert (spent.calls, spent.failed, spent.open, spent.tokens) == (3, 3, 0, 54)
    assert "diary" not in str(rows(memory))


def test_a_truncated_answer_is_retried_with_a_higher_token_limit(llm_client, chat):
    chat.behave(Said("<think>Hmm, the city", "cut"), Said('{"city": ', "cut"), "answer")
    assert llm_client.ask(PROMPT, Trip, "plan", "default").city == "Lisbon"
    assert [request.body["max_tokens"] for request in chat.requests] == [100, 400, 400]
    assert chat.requests[1].body["messages"][1]["content"] == SECRET


def test_a_text_answer_has_no_reasoning_and_ends_with_a_sentence(llm_client, chat):
    chat.says = Said("<think>So.</think> We go to Lisbon. In M", "cut")
    assert llm_client.ask_text(PROMPT, "summarise", "default") == "We go to Lisbon."
    assert chat.ways == ["words"]
    chat.says = "  \n"
    with pytest.raises(ProviderRefused, match="no words"):
        llm_client.ask_text(PROMPT, "summarise", "default")


def test_every_request_is_masked(memory, chat):
    wired = memory.engine.model_router
    masked = ModelRouter(
        wired.models, wired.token_budget, wired.tokenizer, lambda text: text.replace("diary", "[hidden]")
    )
    chat.behave('{"city": "my diary is a city"}', "answer")
    masked.client(None).ask(Prompt("The diary.", SECRET, 50), Trip, "plan", "default")
    assert "diary" not in str([request.body for request in chat.requests])
    assert "[hidden]" in str(chat.requests[1].body)
    masked.client(None, masked=False).ask(PROMPT, Trip, "plan", "default")
    assert "diary" in str(chat.requests[-1].body)


@pytest.mark.req("A9")
def test_a_local_model_processes_its_own_conversation(open_memory, chat):
    own = f"{chat.url}/v1#own"
    memory = open_memory(model="ollama:default", environment={"OPENAI_API_KEY": "k"})
    engine = memory.engine
    assert engine.llm_client("default", own).name == own
    for other in ("openai:gpt-5", "gpt-4o", "ollama:big:cloud", None, "\ud800", "x" * 5000):
        assert engine.llm_client("default", other).name == "ollama:default"


@pytest.mark.req("A9")
def test_without_a_model_there_is_no_client(open_memory):
    assert open_memory().engine.llm_client("default", "openai:gpt-5") is None


@pytest.mark.req("X16")
def test_every_call_is_recorded_by_model_and_operation(llm_client, memory, chat):
    llm_client.ask(PROMPT, Trip, "facts", "default")
    llm_client.ask_text(PROMPT, "summary", "default")
    llm_client.ask_text(PROMPT, "summary", "default")
    facts, summary = memory.costs()
    assert (facts.model, facts.operation, facts.calls, facts.prompt_tokens, facts.completion_tokens) == (
        llm_client.name, "facts", 1, 11, 7,
    )  # fmt: skip
    assert (summary.operation, summary.calls, summary.failed, summary.open, summary.tokens) == ("summary", 2, 0, 0, 36)
    assert summary.milliseconds > 0
    assert "diary" not in str(rows(memory))


@pytest.mark.req("X16")
def test_tokens_are_counted_locally_when_the_server_reports_none(llm_client, memory, chat):
    chat.says = Said("Four words of answer.", used=None)
    llm_client.ask_text(PROMPT, "summary", "default")
    (spent,) = memory.costs()
    assert spent.completion_tokens == 5
    assert 8 < spent.prompt_tokens < 100


@pytest.mark.req("X16")
@pytest.mark.parametrize(("behaviour", "charged"), [(401, False), ("nonsense", True)])
def test_a_failed_call_is_charged_when_the_server_may_have_charged_it(llm_client, memory, chat, behaviour, charged):
    chat.behave(behaviour)
    with pytest.raises(ProviderError):
        llm_client.ask_text(PROMPT, "summary", "default")
    (spent,) = memory.costs()
    assert (spent.calls, spent.failed, spent.open) == (1, 1, 0)
    assert spent.completion_tokens == (100 if charged else 0)


@pytest.mark.req("X16")
def test_a_model_that_raises_is_charged_the_reserved_tokens(open_memory, clock):
    class Broken:
        name, local = "broken", True

        def complete(self, prompt: Prompt):
            raise KeyError(prompt.text)

    memory = open_memory(model=Broken(), clock=clock)
    with pytest.raises(ProviderError, match="broken failed: KeyError") as caught:
        memory.engine.llm_client("default", None).ask_text(PROMPT, "summary", "default")
    assert isinstance(caught.value.__cause__, KeyError)
    (spent,) = memory.costs()
    assert (spent.failed, spent.completion_tokens) == (1, 100)
    assert "diary" not in str(rows(memory))


@pytest.mark.req("X16")
@pytest.mark.parametrize(
    ("told", "counted"), [((-5, -7), (0, 0)), ((2**70, 1), (10**9, 1)), (("many", None), None), ((None, 3.5), None)]
)
def test_an_implausible_token_count_is_clamped_or_ignored(open_memory, clock, told, counted):
    class Strange:
        name, local = "strange", True

        def complete(self, _: Prompt):
            return Completion("Four words of answer.", *told)

    memory = open_memory(model=Strange(), clock=clock)
    memory.engine.llm_client("default", None).ask_text(PROMPT, "summary", "default")
    (spent,) = memory.costs()
    found = spent.prompt_tokens, spent.completion_tokens
    assert found == counted if counted else 0 < found[0] < 100 and found[1] == 5


@pytest.mark.req("X16")
def test_the_token_cap_is_checked_before_a_request(open_memory, chat, clock):
    memory = open_memory(model=f"{chat.url}/v1#tiny", daily_tokens=160, clock=clock)
    llm_client = memory.engine.llm_client("default", None)
    llm_client.ask_text(PROMPT, "summary", "default")
    assert memory.allowance().left == 142
    chat.says = Said("x", used=(20, 100))
    llm_client.ask_text(PROMPT, "summary", "default")
    with pytest.raises(CapReached, match="cap of 160") as caught:
        llm_client.ask_text(PROMPT, "summary", "default")
    assert (caught.value.cap, caught.value.spent) == (160, 138)
    assert caught.value.needed > 22
    assert len(chat.requests) == 2
    clock.forward(days=1)
    llm_client.ask_text(PROMPT, "summary", "default")
    assert memory.allowance().spent == 120


@pytest.mark.req("A12")
def test_closing_a_memory_ends_a_stalled_call(memory, llm_client, chat):
    chat.behave("hang")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(llm_client.ask_text, PROMPT, "summary", "default")
        until(lambda: chat.requests)
        begin = time.monotonic()
        memory.close()
        assert time.monotonic() - begin < 5
        with pytest.raises(ClosedError):
            asked.result(10)


@pytest.mark.req("A12")
def test_a_job_that_waits_for_a_model_is_requeued_when_the_memory_closes(memory, llm_client, chat, open_memory):
    chat.behave("hang")
    sql(memory, "UPDATE jobs SET attempts = 50")
    worker = Worker(
        memory.engine.store.jobs,
        {"embed": lambda _: llm_client.ask_text(PROMPT, "summary", "default")},
        memory.engine.clock,
    )
    worker.start()
    until(lambda: chat.requests)
    begin = time.monotonic()
    memory.engine.model_router.models.close()
    worker.stop()
    assert time.monotonic() - begin < 5
    (job,) = [job for job in memory.jobs("queued") if job.kind == "embed"]
    assert "closed" in job.error
    (spent,) = memory.costs()
    assert (spent.failed, spent.open) == (1, 0)
    memory.close()
    assert [job.kind for job in open_memory().jobs("queued") if job.kind == "embed"] == ["embed"]


def until(met, seconds: float = 10.0) -> None:
    """Waits until the condition holds in another thread."""
    waiting, deadline = threading.Event(), time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline
        waiting.wait(0.005)

"""Tests that a message has one answer at a time, in all threads and processes, and that a stopped answer is kept."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.chat import ChatServer, Streamed
from tests.child import Child

from aforesaid import AsyncMemory, ConflictError, Memory
from aforesaid.answering.lease import LEASE
from aforesaid.context.turn import STOPPED

ASKER = Path(__file__).parent.parent / "children" / "asker.py"
HANGING = Streamed(("We go to Lisbon",), "hang")


@pytest.fixture
def server():
    with ChatServer("We go to Lisbon.") as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.req("C11"))])
def place(request, path) -> str:
    """The address of a store, on each engine."""
    return path if request.param == "sqlite" else request.getfixturevalue("address")


@pytest.fixture
def memory(open_memory, place, server, clock) -> Memory:
    return open_memory(place, model=f"{server.url}/v1#tiny", clock=clock)


@pytest.fixture
def chat(memory):
    return memory.conversation("trip")


class WallClock:
    """The clock of the system, or one that is ahead of it."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


def roles(chat) -> list[str]:
    return [message.role for message in chat.messages()]


@pytest.mark.req("A20")
def test_a_message_that_is_being_answered_cannot_be_asked_again(chat, server):
    server.behave(HANGING)
    with chat.reply("Where?", id="q1") as answer:
        next(answer)
        (running,) = chat.running_answers()
        assert (running.question, running.model, running.stopping) == ("q1", answer.model, False)
        with pytest.raises(ConflictError, match="wait for its answer"):
            chat.reply("Where?", id="q1")
    assert (chat.running_answers(), roles(chat), len(server.requests)) == ([], ["user"], 1)
    server.behave("answer")
    assert "".join(chat.reply("Where?", id="q1")) == "We go to Lisbon."


def test_an_answered_message_cannot_be_asked_again_but_in_a_branch(chat, memory, server):
    list(chat.reply("Where?", id="q1"))
    with pytest.raises(ConflictError, match="fork the conversation"):
        chat.reply("Where?", id="q1")
    branch = chat.fork("q1")
    server.says = "We go to Porto."
    assert "".join(branch.reply("Where?", id="q1")) == "We go to Porto."
    assert [message.text for message in branch.messages()] == ["Where?", "We go to Porto."]
    assert [message.text for message in chat.messages()] == ["Where?", "We go to Lisbon."]
    chat.pop()
    server.says = "We stay."
    assert "".join(chat.reply("Where?", id="q1")) == "We stay."


@pytest.mark.req("A20")
def test_processes_that_ask_at_the_same_time_store_one_answer(open_memory, place, server, chat):
    """Each Memory has its own connections, as a process of its own has."""
    others = [open_memory(place, model=f"{server.url}/v1#tiny").conversation("trip") for _ in range(4)]
    server.behave("answer")

    def ask(other) -> str:
        try:
            return "".join(other.reply("Where?", id="q1"))
        except ConflictError as exc:
            return f"refused {exc.id is not None}"

    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(ask, others * 4))
    assert sorted(set(said)) == ["We go to Lisbon.", "refused True"]
    assert (said.count("We go to Lisbon."), len(server.requests), roles(chat)) == (1, 1, ["user", "assistant"])


@pytest.mark.req("A20")
def test_a_message_can_be_asked_again_after_the_process_that_answered_it_was_killed(open_memory, place, server):
    wall_clock = WallClock()
    server.behave(HANGING)
    child = Child(ASKER, place, f"{server.url}/v1#tiny")
    try:
        assert child.line() == "We go to Lisbon"
        memory = open_memory(place, model=f"{server.url}/v1#tiny", clock=wall_clock)
        chat = memory.conversation("trip")
        assert [one.question for one in chat.running_answers()] == ["q1"]
    finally:
        child.stop()
    with pytest.raises(ConflictError):
        chat.reply("Where do we go?", id="q1")
    wall_clock.ahead = LEASE
    assert chat.running_answers() == []
    server.behave("answer")
    assert "".join(chat.reply("Where do we go?", id="q1")) == "We go to Lisbon."
    assert roles(chat) == ["user", "assistant"]


def test_a_process_that_lost_its_lease_stores_no_second_answer(open_memory, place, server, chat, clock):
    server.behave(Streamed(("We go to Porto.",)), Streamed(("We go to Lisbon.",)))
    late = chat.reply("Where?", id="q1")
    assert next(late) == "We go to Porto."
    clock.forward(seconds=LEASE.total_seconds())
    other = open_memory(place, model=f"{server.url}/v1#tiny", clock=clock).conversation("trip")
    list(other.reply("Where?", id="q1"))
    with pytest.raises(ConflictError):
        list(late)
    assert [message.text for message in chat.messages()] == ["Where?", "We go to Lisbon."]


@pytest.mark.req("A20")
def test_another_process_stops_an_answer_and_what_was_written_is_kept(open_memory, place, chat, server, clock):
    server.behave(HANGING)
    answer = chat.reply("Where?", id="q1")
    assert next(answer) == "We go to Lisbon"
    other = open_memory(place, clock=clock).conversation("trip")
    assert other.stop_answer("q1") is True
    assert list(answer) == []
    stored = other.messages()[-1]
    assert (stored.role, stored.text, answer.message) == ("assistant", "We go to Lisbon", stored)
    assert stored.metadata["stopped"] is True
    assert (stored.metadata["answers"], answer.cost.error) == ("q1", "stopped")
    assert (other.stop_answer("q1"), other.running_answers()) == (False, [])
    with pytest.raises(ConflictError):
        chat.reply("Where?", id="q1")


def test_the_next_context_says_that_an_answer_was_stopped(chat, server):
    server.behave(HANGING)
    answer = chat.reply("Where?", id="q1")
    next(answer)
    chat.stop_answer("q1")
    list(answer)
    server.behave("answer")
    list(chat.reply("Go on."))
    said = [message["content"] for message in server.requests[-1].body["messages"]]
    assert said == ["Where?", f"We go to Lisbon\n\n{STOPPED}", "Go on."]
    assert chat.messages()[1].text == "We go to Lisbon"


def test_an_answer_that_is_stopped_before_its_first_word_is_not_stored(chat, server):
    server.behave(Streamed(("<think>Hmm, where",), "hang"))
    answer = chat.reply("Where?", id="q1")
    chat.stop_answer("q1")
    assert (list(answer), answer.message, roles(chat)) == ([], None, ["user"])
    server.behave("answer")
    assert "".join(chat.reply("Where?", id="q1")) == "We go to Lisbon."


def test_an_answer_to_a_forgotten_message_stops_and_is_not_stored(chat, memory, server):
    server.behave(HANGING)
    answer = chat.reply("Where?", id="q1")
    next(answer)
    memory.space("default").forget(message="q1")
    assert (list(answer), answer.message, roles(chat)) == ([], None, [])
    assert chat.running_answers() == []


def test_an_answer_that_nobody_uses_gives_up_its_lease(chat, server):
    server.behave(HANGING)
    chat.reply("Where?", id="q1")
    deadline = time.monotonic() + 30
    while chat.running_answers() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert chat.running_answers() == []


def test_retries_are_counted_while_the_model_is_busy(chat, server):
    server.behave(503, 503, "answer")
    answer = chat.reply("Where?")
    assert "".join(answer) == "We go to Lisbon."
    assert answer.retries == 2


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_async_memory_lists_and_stops_answers(path, server):
    server.behave(HANGING)
    async with AsyncMemory(path, environment={}, worker=False, model=f"{server.url}/v1#tiny") as memory:
        chat = memory.conversation("trip")
        answer = await chat.reply("Where?", id="q1")
        assert await anext(answer) == "We go to Lisbon"
        assert [one.question for one in await chat.running_answers()] == ["q1"]
        assert await chat.stop_answer("q1")
        assert [piece async for piece in answer] == []
        assert answer.message.metadata["stopped"]

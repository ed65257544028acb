"""How often a question goes to the server and back, and that nobody's reading makes another's memory cold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.postgres.round_trips import Count, Counting
from tests.postgres_server import Server

from aforesaid import Memory

SAID = [
    {"role": "user" if n % 2 == 0 else "assistant", "content": f"the ferry to island {n} leaves from pier {n % 7}"}
    for n in range(60)
]


@pytest.fixture
def counting(postgres: Server) -> Iterator[Counting]:
    counting = Counting(postgres.port)
    yield counting
    counting.close()


@pytest.fixture
def filled(address: str, open_memory: Callable[..., Memory]) -> Memory:
    """A store with a conversation, its vectors, a pin, a fact and an episode's worth of words."""
    memory = open_memory(address)
    chat = memory.space("alice").conversation("c")
    chat.add_many(SAID)
    chat.pin("the pier of the ferry is number seven")
    memory.space("alice").remember("Alice lives on island 3")
    memory.flush(timeout=60)
    return memory


@pytest.fixture
def mine(address: str, filled: Memory, counting: Counting) -> Iterator[Memory]:
    """The same store as another process has it, whose journeys are counted."""
    with Memory(counting.address(address), worker=False, environment={}) as memory:
        yield memory


def spent(counting: Counting, call: Callable[[], object]) -> Count:
    before = counting.count
    call()
    return counting.count - before


def warmed(counting: Counting, call: Callable[[], object]) -> Count:
    """What a call takes once all that is read once has been read."""
    for _ in range(3):
        call()
    return spent(counting, call)


def test_a_recall_takes_few_journeys(mine: Memory, counting: Counting):
    space = mine.space("alice")
    found = warmed(counting, lambda: space.recall("which pier does the ferry to island 12 leave from?"))
    assert found.journeys <= 18
    assert found.statements <= 20


def test_a_context_takes_few_journeys(mine: Memory, counting: Counting):
    chat = mine.space("alice").conversation("c")
    found = warmed(counting, lambda: chat.context("which pier does the ferry to island 12 leave from?"))
    assert found.journeys <= 23
    assert found.statements <= 25


def test_a_question_with_more_words_takes_no_more_journeys(mine: Memory, counting: Counting):
    space = mine.space("alice")
    few, many = "which island?", "which ferry, from which pier of which island?"  # both find the fact
    assert warmed(counting, lambda: space.recall(few)).journeys == warmed(counting, lambda: space.recall(many)).journeys


@pytest.mark.req("A16")
def test_what_one_process_has_in_memory_stays_good_while_another_only_asks(
    mine: Memory, filled: Memory, counting: Counting
):
    chat = mine.space("alice").conversation("c")
    warm = warmed(counting, lambda: chat.context("where does the ferry leave?"))
    filled.space("alice").conversation("c").context("what did we say about pier 3?")
    assert filled.retrievals("alice")  # so the ledger is written
    assert filled.space("alice").receipts()
    assert spent(counting, lambda: chat.context("where does the ferry leave?")) == warm


@pytest.mark.req("A16")
def test_what_another_process_writes_is_seen_by_the_next_question(mine: Memory, filled: Memory, counting: Counting):
    space = mine.space("alice")
    warm = warmed(counting, lambda: space.recall("zeppelin"))
    filled.space("alice").conversation("c").add("user", "a zeppelin lands at pier 9")
    found = []
    assert spent(counting, lambda: found.extend(space.recall("zeppelin"))).statements > warm.statements
    assert found[0].text == "a zeppelin lands at pier 9"


def test_what_many_questions_leave_behind_is_written_in_as_few_journeys_as_that_of_one(
    mine: Memory, counting: Counting
):
    chat = mine.space("alice").conversation("c")

    def asked(times: int) -> Count:
        for _ in range(times):
            chat.context("where does the ferry leave?")
        return spent(counting, lambda: mine.retrievals("alice"))

    assert asked(1).journeys == asked(10).journeys

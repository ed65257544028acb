"""Tests the number of round trips of queries, and that reads of one process do not invalidate the caches of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

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
    """Fills a store with a conversation, its vectors, a pin, a fact and text for an episode."""
    memory = open_memory(address)
    chat = memory.space("alice").conversation("c")
    chat.add_many(SAID)
    chat.pin("the pier of the ferry is number seven")
    memory.space("alice").remember("Alice lives on island 3")
    memory.flush(timeout=60)
    return memory


@pytest.fixture
def mine(address: str, filled: Memory, counting: Counting) -> Iterator[Memory]:
    """Opens the same store as another process does, through the counting proxy."""
    with Memory(counting.address(address), worker=False, environment={}) as memory:
        yield memory


def spent(counting: Counting, call: Callable[[], object]) -> Count:
    before = counting.count
    call()
    return counting.count - before


def warmed(counting: Counting, call: Callable[[], object]) -> Count:
    """Returns the cost of a call with warm caches."""
    for _ in range(3):
        call()
    return spent(counting, call)


def test_a_recall_takes_few_round_trips(mine: Memory, counting: Counting):
    space = mine.space("alice")
    found = warmed(counting, lambda: space.recall("which pier does the ferry to island 12 leave from?"))
    assert found.journeys <= 18
    assert found.statements <= 20


def test_a_context_takes_few_round_trips(mine: Memory, counting: Counting):
    chat = mine.space("alice").conversation("c")
    found = warmed(counting, lambda: chat.context("which pier does the ferry to island 12 leave from?"))
    assert found.journeys <= 23
    assert found.statements <= 25


def test_a_query_with_more_words_takes_no_more_round_trips(mine: Memory, counting: Counting):
    space = mine.space("alice")
    few, many = "which island?", "which ferry, from which pier of which island?"  # both find the fact
    assert warmed(counting, lambda: space.recall(few)).journeys == warmed(counting, lambda: space.recall(many)).journeys


@pytest.mark.req("X26")
def test_storing_an_item_takes_few_round_trips(mine: Memory, counting: Counting):
    notes, numbers = mine.space("alice").items("notes"), count()
    calls = (
        lambda: notes.put(f"key {(number := next(numbers))}", f"pier {number}"),
        lambda: notes.put("pier", f"pier {next(numbers)}"),
        lambda: notes.put(f"key {next(numbers)}", "pier", index=False),
    )
    # The notification of an earlier write may be sent meanwhile.
    new, again, unindexed = (min(warmed(counting, call).journeys for _ in range(5)) for call in calls)
    assert new <= 5
    assert again <= 6
    assert unindexed <= 4


@pytest.mark.req("A16")
def test_reads_of_another_process_do_not_invalidate_caches(mine: Memory, filled: Memory, counting: Counting):
    chat = mine.space("alice").conversation("c")
    warm = warmed(counting, lambda: chat.context("where does the ferry leave?"))
    filled.space("alice").conversation("c").context("what did we say about pier 3?")
    assert filled.retrievals("alice")  # writes the ledger
    assert filled.space("alice").receipts()
    assert spent(counting, lambda: chat.context("where does the ferry leave?")) == warm


@pytest.mark.req("A16")
def test_the_next_query_sees_the_writes_of_another_process(mine: Memory, filled: Memory, counting: Counting):
    space = mine.space("alice")
    warm = warmed(counting, lambda: space.recall("zeppelin"))
    filled.space("alice").conversation("c").add("user", "a zeppelin lands at pier 9")
    found = []
    assert spent(counting, lambda: found.extend(space.recall("zeppelin"))).statements > warm.statements
    assert found[0].text == "a zeppelin lands at pier 9"


def test_records_of_many_queries_are_written_in_as_few_round_trips_as_those_of_one(mine: Memory, counting: Counting):
    chat = mine.space("alice").conversation("c")

    def asked(times: int) -> Count:
        for _ in range(times):
            chat.context("where does the ferry leave?")
        return spent(counting, lambda: mine.retrievals("alice"))

    assert asked(1).journeys == asked(10).journeys

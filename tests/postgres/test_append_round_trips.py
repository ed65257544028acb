"""Tests the number of statements and round trips that adding a message takes, as traced by libpq."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from aforesaid import Memory

WARM = 12  # number of adds after which every statement is prepared


@pytest.fixture
def memory(address: str, open_memory) -> Memory:
    memory = open_memory(f"{address}?pool_size=1", embedder="none")
    for n in range(WARM):
        memory.space("alice").conversation("c").add("user", f"number {n}")
    return memory


@pytest.fixture
def counted(memory: Memory, tmp_path: Path) -> Callable[[Callable[[], object]], tuple[int, int]]:
    """Counts the statements and round trips of a call."""

    def count(call: Callable[[], object]) -> tuple[int, int]:
        database = memory.engine.store.database
        with (tmp_path / "trace").open("w+b") as trace:
            with database.connection() as connection:
                connection.pgconn.trace(trace.fileno())
            call()
            with database.connection() as connection:
                connection.pgconn.untrace()
            sent = re.findall(rb"\tF\t\d+\t(Execute|Query|Sync)\b", (tmp_path / "trace").read_bytes())
        return len(sent) - sent.count(b"Sync"), sent.count(b"Sync")

    return count


def test_the_counter_matches_the_statements_sent(memory: Memory, counted):
    def ask() -> None:
        with memory.engine.store.database.connection() as connection, connection.pipeline() as pipeline:
            for _ in range(3):
                connection.execute("SELECT 1")
            pipeline.sync()

    assert counted(ask) == (3, 2)  # a pipeline syncs once more at its end


def test_adding_takes_one_statement_and_one_round_trip(memory: Memory, counted):
    chat = memory.space("alice").conversation("c")
    assert counted(lambda: chat.add("user", "The heron stands in the harbour since 4 o'clock")) == (1, 1)
    assert counted(lambda: chat.add("user", "It is grey", id="mine")) == (1, 1)
    assert counted(lambda: chat.add_many([{"role": "user", "content": f"heron {n}"} for n in range(20)])) == (1, 1)
    assert [message.seq for message in chat.messages()] == list(range(WARM + 22))


def test_settings_changed_by_another_process_are_read_once(memory: Memory, address: str, open_memory, counted):
    chat = memory.space("alice").conversation("c")
    open_memory(address, embedder="none").space("alice").set("chunk_tokens", 16)
    assert counted(lambda: chat.add("user", "heron " * 40, id="new")) == (3, 3)
    assert len(chat.chunks("new")) > 1
    assert counted(lambda: chat.add("user", "It is grey")) == (1, 1)


def test_the_first_message_of_a_conversation_takes_several_statements(memory: Memory, counted):
    statements, journeys = counted(lambda: memory.space("alice").conversation("new").add("user", "Hello"))
    assert statements <= 15
    assert journeys <= 10

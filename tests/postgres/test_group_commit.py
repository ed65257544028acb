"""Tests that threads of one process that wait for the same space share a commit."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.conftest import sql

from aforesaid import ConflictError, Memory

HELD = "SELECT pg_advisory_lock(hashtextextended(current_schema() || ' space alice', 0))"


@pytest.fixture
def memory(address: str, open_memory) -> Memory:
    memory = open_memory(address, embedder="none")
    memory.space("alice").conversation("c").add("user", "the first", id="m")
    return memory


def together(memory: Memory, address: str, *texts: str) -> list[object]:
    """Adds these texts concurrently while another transaction holds the space; returns each result."""

    def add(text: str) -> object:
        if text == "delete":
            return memory.space("alice").delete()
        try:
            return memory.space("alice").conversation("c").add("user", text, id="m" if text == "wrong" else None)
        except ConflictError as exc:
            return exc

    with psycopg.connect(address, autocommit=True) as other, ThreadPoolExecutor(len(texts)) as threads:
        other.execute(HELD)
        running = [threads.submit(add, text) for text in texts]
        deadline = time.monotonic() + 60
        while memory.engine.store.database.waiting("alice") < len(texts) - 1:
            assert time.monotonic() < deadline
        other.close()
        return [each.result(60) for each in running]


def test_writes_that_wait_for_a_writer_share_one_commit(memory: Memory, address: str):
    before, _ = memory.engine.store.feed.wait(None, 0)
    together(memory, address, *(f"number {n}" for n in range(8)))
    after, _ = memory.engine.store.feed.wait(None, 0)
    assert after - before == 2  # the first commit, and the shared one
    messages = memory.space("alice").conversation("c").messages()
    assert [message.seq for message in messages] == list(range(9))


def test_a_failed_write_does_not_affect_the_others_in_its_commit(memory: Memory, address: str):
    outcomes = together(memory, address, "one", "wrong", "two", "three")
    assert [type(outcome) for outcome in outcomes].count(ConflictError) == 1
    assert isinstance(outcomes[1], ConflictError)
    said = {message.text for message in memory.space("alice").conversation("c").messages()}
    assert said == {"the first", "one", "two", "three"}


def test_a_space_deleted_and_recreated_in_one_commit_is_a_new_space(memory: Memory, address: str):
    ((old,),) = sql(memory, "SELECT space_key FROM spaces")
    assert together(memory, address, "one", "delete", "two", "delete", "three").count(True) >= 1
    memory.space("alice").conversation("c").add("user", "the last")
    messages = memory.space("alice").conversation("c").messages()
    assert [message.seq for message in messages] == list(range(len(messages)))
    assert messages[-1].text == "the last"
    assert sql(memory, "SELECT space_key FROM spaces") != [(old,)]
    assert sql(memory, "SELECT DISTINCT space_key FROM messages") == sql(memory, "SELECT space_key FROM spaces")

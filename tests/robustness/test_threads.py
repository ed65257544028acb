"""Tests many threads that share one Memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from aforesaid import ConflictError, Memory

STORES = ["file", ":memory:"]
ADDS = 40  # per thread


@pytest.fixture(params=STORES)
def shared(request, path):
    """Opens a Memory with default options, on a file and in memory."""
    with Memory(path if request.param == "file" else ":memory:") as mem:
        yield mem


def together(count: int, work: Callable[[int], object]) -> list[object]:
    """Runs `work` in that many threads that start at the same time; returns their results or raises the first error."""
    barrier = threading.Barrier(count)

    def begin(n: int) -> object:
        barrier.wait()
        return work(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


@pytest.mark.req("A21", "D6")
def test_eight_threads_add_to_one_conversation_without_a_gap(shared, healthy):
    chat = shared.conversation("c")

    def add(who: int) -> list[str]:
        return [chat.add("user", f"thread{who}x{n} said something").id for n in range(ADDS)]

    ids = [id for some in together(8, add) for id in some]
    messages = chat.messages(10_000)
    assert [message.seq for message in messages] == list(range(8 * ADDS))
    assert sorted(message.id for message in messages) == sorted(ids)
    for who in range(8):
        mine = [message.text.split()[0] for message in messages if message.text.startswith(f"thread{who}x")]
        assert mine == [f"thread{who}x{n}" for n in range(ADDS)]
    space = shared.space("default")
    space.set("weight_dense", 0.0)
    for message in messages:
        assert space.recall(message.text.split()[0], 1)[0].message == message
    shared.flush()
    healthy(shared)


@pytest.mark.req("A16", "A21")
def test_concurrent_reads_never_fail_and_never_return_older_data(shared):
    chat, done = shared.conversation("c"), threading.Event()
    chat.add("user", "the first")

    def work(who: int) -> None:
        if who == 0:
            try:
                for n in range(2 * ADDS):
                    chat.add("user", f"number{n} was said")
                    assert chat.recent(1, include_newest=True)[0].text == f"number{n} was said"
            finally:
                done.set()
        last = 0
        while not done.is_set():
            newest = chat.recent(3, include_newest=True)[-1].seq
            assert newest >= last
            last = newest
            assert len(chat.recall("said first")) > 0
            assert shared.status().messages >= last

    together(5, work)


@pytest.mark.req("A16", "A21")
def test_reading_the_newest_messages_does_not_disturb_writers(shared, healthy):
    chat = shared.conversation("c")
    finished: list[int] = []

    def work(who: int) -> None:
        if who < 2:
            try:
                for n in range(2 * ADDS):
                    chat.add("user", f"thread{who}x{n} was said")
            finally:
                finished.append(who)
        while len(finished) < 2:
            assert len(chat.recent(5)) <= 5
            chat.recent(2, include_newest=True)

    together(8, work)
    assert [message.seq for message in chat.messages(1000)] == list(range(4 * ADDS))
    shared.flush()
    healthy(shared)


def test_a_message_that_many_threads_add_with_the_same_id_is_stored_once(shared):
    chat = shared.conversation("c")
    stored = together(8, lambda _: [chat.add("user", f"number {n}", id=f"m{n}") for n in range(20)])
    assert all(some == stored[0] for some in stored)
    assert [message.id for message in chat.messages(100)] == [f"m{n}" for n in range(20)]
    assert chat.info().messages == 20


def test_the_first_of_concurrent_messages_with_the_same_id_is_stored(shared):
    chat = shared.conversation("c")

    def add(who: int) -> str:
        try:
            return chat.add("user", f"thread {who}", id="m").text
        except ConflictError:
            return "refused"

    told = together(8, add)
    assert sorted(told)[:7] == ["refused"] * 7
    assert [message.text for message in chat.messages()] == [text for text in told if text != "refused"]


def test_one_invalid_write_does_not_affect_the_writes_in_the_same_commit(shared, healthy):
    chat = shared.conversation("c")
    chat.add("user", "taken", id="taken")

    def work(who: int) -> int:
        refused = 0
        for n in range(30):
            chat.add("user", f"thread{who}x{n}")
            try:
                chat.add("user", "other words", id="taken")
            except ConflictError:
                refused += 1
        return refused

    assert together(6, work) == [30] * 6
    assert [message.seq for message in chat.messages(1000)] == list(range(181))
    shared.flush()
    healthy(shared)


def test_deleting_conversations_during_writes_leaves_the_others_intact(shared, healthy):
    kept = shared.conversation("kept")

    def work(who: int) -> None:
        for n in range(20):
            passing = shared.conversation(f"passing{who}")
            passing.add("user", f"passing{who}x{n} words")
            kept.add("user", f"kept{who}x{n} words")
            passing.delete()

    together(4, work)
    shared.flush()
    assert [message.seq for message in kept.messages(1000)] == list(range(80))
    assert shared.status().messages == 80
    assert not any(hit.message.text.startswith("passing") for hit in shared.space("default").recall("words", 200))
    healthy(shared)


@pytest.mark.req("B17")
def test_ids_generated_by_many_threads_are_unique(path):
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    with Memory(path, worker=False, clock=lambda: moment) as mem:
        chat = mem.conversation("c")
        ids = together(8, lambda _: [chat.add("user", "words").id for _ in range(50)])
    assert len({id for some in ids for id in some}) == 400


@pytest.mark.req("B18")
def test_threads_that_recall_and_read_the_ledger_record_every_access(shared):
    shared.conversation("c").add("user", "The heron stands in the harbour", id="m")
    shared.flush()

    def work(n: int) -> None:
        for _ in range(25):
            assert shared.space("default").recall("heron", 1)
            if n == 0:
                assert shared.retrievals(limit=1)

    together(4, work)
    assert shared.conversation("c").accesses("m").count == 100
    assert len(shared.retrievals(limit=1000)) == 100

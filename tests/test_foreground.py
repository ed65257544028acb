"""Tests that background work waits for the calls that run in its process, and never for long."""

from __future__ import annotations

import threading

from aforesaid import Memory
from aforesaid.jobs.foreground import ForegroundCalls
from aforesaid.jobs.worker import SMALL_BATCH, Worker

LONG = 60.0  # seconds; a test that waits as long has failed


def test_work_starts_when_the_last_call_ends():
    calls, ended, order = ForegroundCalls(), threading.Event(), []

    def work() -> None:
        calls.wait_for_pause(threading.Event(), 0.0, LONG)
        order.append("work")
        ended.set()

    with calls:
        with calls:
            threading.Thread(target=work, daemon=True).start()
        assert not ended.wait(0.05)  # one call still runs
        order.append("call")
    assert ended.wait(LONG)
    assert order == ["call", "work"]


def test_work_does_not_wait_for_a_call_forever():
    calls = ForegroundCalls()
    with calls:
        calls.give_way()
        calls.wait_for_pause(threading.Event(), LONG, 0.01)


def test_work_without_calls_starts_at_once():
    ForegroundCalls().wait_for_pause(threading.Event(), LONG, LONG)


def test_a_worker_that_stops_waits_no_longer():
    calls, stopping = ForegroundCalls(), threading.Event()
    stopping.set()
    with calls:
        calls.wait_for_pause(stopping, LONG, LONG)


def test_jobs_end_while_a_call_runs(tmp_path):
    with Memory(tmp_path / "m.db", environment={}) as memory:
        with memory.engine.foreground:
            memory.conversation("c").add("user", "I live in Lisbon.")
            memory.flush(LONG)  # raises NotFinished if a job is open
        assert [fact.text for fact in memory.space("default").facts()]


def test_work_that_a_call_waits_for_does_not_wait_for_calls():
    calls = ForegroundCalls()
    assert not calls.busy
    with calls:
        assert calls.busy
        with calls.awaiting_work():
            assert not calls.busy
            calls.begin_work(late=False)
            calls.give_way()


def test_work_goes_on_at_the_next_pause():
    calls, ended = ForegroundCalls(), threading.Event()

    def work() -> None:
        calls.begin_work(late=False)
        with calls:
            pass
        calls.give_way()
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(LONG)


def test_a_worker_takes_few_jobs_at_once_while_a_call_runs(tmp_path):
    calls, taken = ForegroundCalls(), []

    def handle(jobs):
        taken.append(len(jobs))
        return "done"

    with Memory(tmp_path / "m.db", worker=False, environment={}) as memory:
        memory.conversation("c").add_many({"role": "user", "content": f"Message {number}."} for number in range(30))
        worker = Worker(memory.engine.store.jobs, {"embed": handle}, memory.now, foreground=calls)
        with calls:
            worker.run_due()
            with calls.awaiting_work():
                worker.run_due()
    assert taken == [SMALL_BATCH, 30 - SMALL_BATCH]

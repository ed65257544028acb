"""Tests that background work waits for the calls that run in its process, and never for long."""

from __future__ import annotations

import threading

from aforesaid import Memory
from aforesaid.jobs.foreground import ForegroundCalls

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

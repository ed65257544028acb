"""Tests that background work waits for the calls that run in its process, and never for long."""

from __future__ import annotations

import threading

from aforesaid import Memory
from aforesaid.jobs.foreground import ForegroundCalls

LONG = 60.0  # seconds; a test that waits as long has failed


def test_work_starts_when_the_last_call_ends():
    calls, started = ForegroundCalls(), threading.Event()
    with calls, calls:
        waiting = threading.Thread(
            target=lambda: (calls.wait_for_pause(threading.Event(), 0.0, LONG), started.set()), daemon=True
        )
        waiting.start()
        assert not started.is_set()
    assert started.wait(LONG)


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
        memory.conversation("c").add("user", "I live in Lisbon.")
        memory.flush(LONG)
        assert memory.status().jobs.get("queued", 0) == 0
        assert [hit.text for hit in memory.space("default").recall("Where do I live?")]

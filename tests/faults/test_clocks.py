"""Tests processes whose clock is off by one hour."""

from __future__ import annotations

import psycopg
import pytest
from tests.faults.conftest import Lengths, ahead, assert_healthy, leave_work


def seconds_pass(address, seconds):
    """Ages the claims of all jobs on the server."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET aforesaid.whole = 'on'")
        connection.execute(f"UPDATE jobs SET claimed_at = claimed_at - interval '{seconds} seconds'")


@pytest.mark.req("X15")
@pytest.mark.parametrize("hours", [1, -1])
def test_messages_keep_the_order_of_adding_regardless_of_clock_skew(address, opened, hours):
    right, wrong = opened(address), opened(address, clock=ahead(hours=hours))
    birds = "a heron", "one kite", "two storks", "three owls", "four terns", "five gulls"
    stored = [
        mem.conversation("c").add("user", f"{bird} at the lake")
        for mem, bird in zip([right, wrong] * 3, birds, strict=True)
    ]
    for mem in (right, wrong):
        chat = mem.conversation("c")
        assert [message.seq for message in stored] == list(range(6))
        assert chat.messages() == chat.recent(6, include_newest=True) == stored
        assert {hit.message.id for hit in chat.recall("lake")} == {message.id for message in stored}
        assert_healthy(mem)


@pytest.mark.req("X15", "C9")
@pytest.mark.parametrize("hours", [1, -1])
def test_a_process_runs_the_jobs_of_another_process_despite_clock_skew(address, opened, hours):
    right, wrong = (opened(address, embedder=Lengths(), clock=ahead(hours=off)) for off in (0, hours))
    for leaving, working in ((right, wrong), (wrong, right)):
        leave_work(leaving)
        working.flush()
        assert_healthy(leaving)
    assert [(model.embedded, model.expected) for model in right.status().models] == [(10, 10)]


@pytest.mark.req("X15", "C9")
def test_the_jobs_of_a_killed_worker_with_a_clock_an_hour_ahead_are_taken_over(address, crowd, opened):
    right = opened(address, embedder=Lengths())
    leave_work(right)
    worker = crowd("hang", 1, address, 60)
    worker.say("go")
    assert worker.line() == "in hand"
    worker.stop()
    seconds_pass(address, 5)
    while right.work():
        pass
    assert len(right.jobs("running")) == 5  # the worker could still be running
    seconds_pass(address, 15)
    right.flush()
    assert [(model.embedded, model.expected) for model in right.status().models] == [(5, 5)]
    assert_healthy(right)


@pytest.mark.req("X15", "C9")
def test_a_job_that_two_workers_run_is_completed_once(address, opened):
    """A worker whose clock is an hour ahead takes over a running job; the late result of the other is discarded."""
    wrong = opened(address, embedder=Lengths(), clock=ahead(hours=1))

    class Slow(Lengths):
        def embed(self, texts):
            wrong.flush()
            return super().embed(texts) + 1

    right = opened(address, embedder=Slow())
    leave_work(right)
    right.flush()
    assert [(model.embedded, model.expected) for model in right.status().models] == [(5, 5)]
    assert {job.attempts for job in right.jobs() if job.kind == "embed"} == {2}
    assert_healthy(right)

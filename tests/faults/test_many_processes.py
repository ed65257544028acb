"""Tests many processes that share one PostgreSQL database."""

from __future__ import annotations

import psycopg
import pytest
from tests.faults.conftest import Lengths, ahead, assert_healthy, leave_work

from aforesaid.storage.migrate import known, newest


@pytest.mark.req("X15", "C11")
def test_sixteen_processes_add_to_one_new_conversation_of_an_empty_database(address, crowd, kept):
    """The processes create the tables, the space and the conversation concurrently, but only once."""
    adders = crowd("add", 16, address, 10)
    adders.say("go")
    lines = adders.finish()
    assert len(lines) == 160
    kept(address, lines)
    with psycopg.connect(address) as connection:
        versions = [version for (version,) in connection.execute("SELECT version FROM migrations ORDER BY version")]
        assert versions == [newest(known("postgres"))]
        connection.execute("SET aforesaid.whole = 'on'")
        assert connection.execute("SELECT count(*) FROM spaces").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM conversations").fetchone() == (1,)


@pytest.mark.req("C3", "C11")
def test_only_one_of_many_processes_starts_a_rolling_summary(address, crowd, opened):
    mem = opened(address)
    chat = mem.conversation("c")
    chat.add("user", "words")
    rivals = crowd("begin", 10, address)
    rivals.say("go")
    assert sorted(rivals.finish()) == ["begun", *["refused"] * 9]
    assert [summary.kind for summary in chat.summaries(status="processing")] == ["rolling"]


@pytest.mark.req("X15", "C9")
def test_the_jobs_of_a_killed_worker_are_taken_over(address, crowd, opened):
    mem = opened(address, embedder=Lengths())
    leave_work(mem)
    worker = crowd("hang", 1, address, 0)
    worker.say("go")
    assert worker.line() == "in hand"
    running = mem.jobs("running")
    assert [job.kind for job in running] == ["embed"] * 5
    worker.stop()
    while mem.work():
        pass
    assert mem.jobs("running") == running  # the worker could still be running
    later = opened(address, embedder=Lengths(), clock=ahead(minutes=3))
    assert [finding.check for finding in later.doctor() if not finding.ok] == ["late jobs"]
    later.flush()
    assert {job.state for job in later.jobs()} == {"done"}
    assert [model.embedded for model in later.status().models] == [5]
    assert_healthy(later)


@pytest.mark.req("C11")
def test_another_process_is_notified_of_a_write(address, crowd, opened):
    mem = opened(address)
    listener = crowd("watch", 1, address)
    listener.say("go")
    assert listener.line() == "listening"
    mem.conversation("c").add("user", "words")
    assert listener.finish() == ["heard"]


@pytest.mark.req("X15")
def test_a_process_that_hangs_during_a_write_does_not_block_others(address, crowd, opened, kept):
    mem = opened(address)
    first = mem.conversation("c").add("user", "0x0 said something")
    hung = crowd("stall", 1, f"{address}?options=-c%20idle_in_transaction_session_timeout%3D1s")
    hung.say("go")
    assert hung.line() == "in hand"
    second = mem.conversation("c").add("user", "0x1 said something")
    hung.stop()
    kept(address, [f"0 0 {first.seq}", f"0 1 {second.seq}"])

"""Tests that a write that PostgreSQL aborts because of a deadlock is retried."""

from __future__ import annotations

import threading

import psycopg
import pytest
from tests.faults.conftest import assert_healthy, until
from tests.faults.test_limits import waiting

HOLD = "SELECT pg_advisory_xact_lock(hashtextextended('public space default', 0))"
FIRST = "?options=-c%20deadlock_timeout%3D5s"  # makes aforesaid's transaction detect the deadlock first


def deadlocks(address):
    with psycopg.connect(address, autocommit=True) as connection:
        return connection.execute(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()[0]


@pytest.mark.req("X15")
@pytest.mark.parametrize("threads", [1, 6])
def test_a_deadlock_loses_and_duplicates_no_message(address, opened, threads):
    mem = opened(f"{address}{FIRST}")
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    adding = [
        threading.Thread(target=lambda n=n: stored.append(chat.add("user", f"number {n}"))) for n in range(threads)
    ]
    with psycopg.connect(address) as other:
        other.execute("SET LOCAL deadlock_timeout = '1h'")
        other.execute("LOCK TABLE messages IN SHARE MODE")
        for thread in adding:
            thread.start()
        until(lambda: waiting(address) == 1)  # the write holds the lock of its space and waits for the table
        other.execute(HOLD)
    for thread in adding:
        thread.join()
    until(lambda: deadlocks(address) == 1)
    assert sorted(message.seq for message in stored) == list(range(threads + 1))
    assert chat.messages() == sorted(stored, key=lambda message: message.seq)
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_write_without_an_id_is_retried_after_a_deadlock(address, opened):
    mem = opened(f"{address}{FIRST}")
    chat = mem.conversation("c")
    chat.add("user", "before")
    pinning = threading.Thread(target=lambda: chat.pin("The budget is 900"))
    with psycopg.connect(address) as other:
        other.execute("SET LOCAL deadlock_timeout = '1h'")
        other.execute("LOCK TABLE pins IN SHARE MODE")
        pinning.start()
        until(lambda: waiting(address) == 1)
        other.execute(HOLD)
    pinning.join()
    until(lambda: deadlocks(address) == 1)
    assert [pin.content for pin in chat.pins()] == ["The budget is 900"]
    assert_healthy(mem)

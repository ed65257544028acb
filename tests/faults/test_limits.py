"""Limits of the server and of the pool: waiting or a clear error, never a hang, and nothing half done."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import psycopg
import pytest
from tests.faults.conftest import assert_healthy, until

from recollect import StoreBusy, StoreError

HOLD = "SELECT pg_advisory_lock(hashtextextended('public space default', 0))"


@contextmanager
def space_held(address):
    """Somebody else writes to the space, and does not end."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(HOLD)
        yield


def waiting(address):
    """How many wait for a lock."""
    with psycopg.connect(address, autocommit=True) as connection:
        sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        return connection.execute(sql).fetchone()[0]


def begin(count, work):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.req("X15")
def test_threads_beyond_the_pool_wait_their_turn(address, opened):
    mem = opened(address)
    chat = mem.conversation("c")
    chat.add("user", "first")
    stored = []
    with space_held(address):
        threads = begin(40, lambda n: stored.append(chat.add("user", f"number {n}")))
        until(lambda: waiting(address) == 16)  # every connection of the pool
        assert stored == []
    for thread in threads:
        thread.join()
    assert sorted(message.seq for message in stored) == list(range(1, 41))
    assert chat.messages(100, after=0) == sorted(stored, key=lambda message: message.seq)
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_role_with_few_connections_serves_many_threads(server, address, opened):
    server.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 2")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("GRANT ALL ON SCHEMA public TO few")
    mem = opened(address.replace("recollect@", "few@"))
    chat = mem.conversation("c")
    stored = []

    def work(n):
        stored.append(chat.add("user", f"number {n}"))
        chat.recall("number")

    for thread in begin(12, work):
        thread.join()
    assert sorted(message.seq for message in stored) == list(range(12))


@pytest.mark.req("X15")
def test_a_server_that_takes_no_more_connections_says_so(server, address, opened):
    opened(address).close()
    database = address.rpartition("/")[2]
    server.execute(f"ALTER DATABASE {database} CONNECTION LIMIT 0")
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute("CREATE ROLE plain LOGIN")
    with pytest.raises(StoreError, match="too many connections"):
        opened(address.replace("recollect@", "plain@"))


@pytest.mark.req("X15")
@pytest.mark.parametrize("limit", ["statement_timeout", "lock_timeout"])
def test_a_statement_that_takes_too_long_is_given_up_and_leaves_nothing(address, opened, limit):
    opened(address).close()
    mem = opened(f"{address}?options=-c%20{limit}%3D300ms")
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    with space_held(address), pytest.raises(StoreBusy):
        chat.add("user", "too late")
    stored += [chat.add("user", f"after {n}") for n in range(3)]
    assert [message.seq for message in stored] == [0, 1, 2, 3]
    assert chat.messages() == stored
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_worker_outlives_a_statement_that_takes_too_long(address, opened):
    mem = opened(f"{address}?options=-c%20statement_timeout%3D300ms", worker=True)
    chat = mem.conversation("c")
    chat.add("user", "I live in Lisbon")
    with space_held(address):
        until(lambda: [job for job in mem.jobs() if job.error])
    mem.flush()
    chat.add("user", "I work in Porto")
    mem.flush()
    assert_healthy(mem)


@pytest.mark.slow
@pytest.mark.req("X15")
def test_waiting_ends_with_a_clear_error(address, proxy, opened):
    near, far = opened(address), opened(proxy.address(address))
    chat = near.conversation("c")
    chat.add("user", "first")
    errors = []

    def add_far(_):
        with pytest.raises(StoreBusy, match="the server is down") as caught:
            far.conversation("c").add("user", "from afar")
        errors.append(caught)

    with space_held(address):
        threads = begin(16, lambda n: chat.add("user", f"number {n}"))
        until(lambda: waiting(address) == 16)
        proxy.close()
        threads += begin(1, add_far)
        with pytest.raises(StoreBusy, match="too many threads"):
            chat.add("user", "one too many")
    for thread in threads:
        thread.join()
    assert len(errors) == 1
    assert [message.seq for message in chat.messages(100)] == list(range(17))
    far.close()
    assert_healthy(near)

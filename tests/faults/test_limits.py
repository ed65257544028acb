"""Tests the limits of the server and of the connection pool: requests wait or fail with a clear error."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import psycopg
import pytest
from tests.faults.conftest import assert_healthy, until

from aforesaid import StoreBusy, StoreError

HOLD = "SELECT pg_advisory_lock(hashtextextended('public store', 0))"


@contextmanager
def store_held(address):
    """Holds a lock that blocks all writes."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(HOLD)
        yield


def waiting(address):
    """Returns the number of connections that wait for a lock."""
    with psycopg.connect(address, autocommit=True) as connection:
        sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        return connection.execute(sql).fetchone()[0]


def begin(count, work):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.req("X15")
def test_threads_beyond_the_pool_size_wait_for_a_connection(address, opened):
    mem = opened(address)
    stored = []
    with store_held(address):
        threads = begin(40, lambda n: stored.append(mem.space(f"space{n}").conversation("c").add("user", "words")))
        until(lambda: waiting(address) == 16)  # every connection of the pool
        assert stored == []
    for thread in threads:
        thread.join()
    assert {message.space for message in stored} == {f"space{n}" for n in range(40)}
    assert [message.seq for message in stored] == [0] * 40
    assert mem.status().messages == 40
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_role_with_few_connections_serves_many_threads(server, address, opened):
    server.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 2")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("GRANT ALL ON SCHEMA public TO few")
    mem = opened(address.replace("aforesaid@", "few@"))
    chat = mem.conversation("c")
    stored = []

    def work(n):
        stored.append(chat.add("user", f"number {n}"))
        chat.recall("number")

    for thread in begin(12, work):
        thread.join()
    assert sorted(message.seq for message in stored) == list(range(12))


@pytest.mark.req("X15")
def test_a_connection_limit_of_the_server_raises_a_clear_error(server, address, opened):
    opened(address).close()
    database = address.rpartition("/")[2]
    server.execute(f"ALTER DATABASE {database} CONNECTION LIMIT 0")
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute("CREATE ROLE plain LOGIN")
    with pytest.raises(StoreError, match="too many connections"):
        opened(address.replace("aforesaid@", "plain@"))


@pytest.mark.req("X15")
@pytest.mark.parametrize("limit", ["statement_timeout", "lock_timeout"])
def test_a_statement_that_times_out_stores_nothing(address, opened, limit):
    opened(address).close()
    mem = opened(f"{address}?options=-c%20{limit}%3D2s")
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    with store_held(address), pytest.raises(StoreBusy):
        chat.add("user", "too late")
    stored += [chat.add("user", f"after {n}") for n in range(3)]
    assert [message.seq for message in stored] == [0, 1, 2, 3]
    assert chat.messages() == stored
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_worker_continues_after_a_statement_times_out(address, opened):
    mem = opened(f"{address}?options=-c%20statement_timeout%3D2s", worker=True)
    chat = mem.conversation("c")
    chat.add("user", "I live in Lisbon")
    with store_held(address):
        until(lambda: [job for job in mem.jobs() if job.error])
    mem.flush()
    chat.add("user", "I work in Porto")
    mem.flush()
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_pool_timeout_raises_a_clear_error(address, proxy, opened):
    mem = opened(f"{proxy.address(address)}?pool_size=2&pool_timeout=2")
    chat = mem.conversation("c")
    chat.add("user", "first")
    stored = []
    with store_held(address):
        threads = begin(2, lambda n: stored.append(mem.space(f"space{n}").conversation("c").add("user", "words")))
        until(lambda: waiting(address) == 2)
        with pytest.raises(StoreBusy, match="too many threads"):
            chat.add("user", "one too many")
    for thread in threads:
        thread.join()
    proxy.close()
    with pytest.raises(StoreBusy, match="the server is down"):
        chat.add("user", "to nobody")
    assert len(stored) == 2
    near = opened(address)
    assert [message.text for message in near.conversation("c").messages()] == ["first"]
    assert_healthy(near)

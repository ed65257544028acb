"""Tests a server machine that fails: its connections stay open but become unresponsive."""

from __future__ import annotations

import threading

import psycopg
import pytest
from tests.faults.conftest import assert_healthy, until
from tests.faults.test_limits import waiting

from aforesaid import StoreBusy, StoreError

SOON = (  # instead of half a minute
    "connect_timeout=2&tcp_user_timeout=1000&keepalives_idle=1&keepalives_interval=1&keepalives_count=1"
    "&options=-c%20tcp_keepalives_idle%3D1%20-c%20tcp_keepalives_interval%3D1%20-c%20tcp_keepalives_count%3D1"
)


class Attempt(threading.Thread):
    """Starts a call in a thread and asserts that it fails."""

    def __init__(self, work, match):
        super().__init__()
        self._work = work
        self._match = match
        self.start()

    def run(self):
        with pytest.raises(StoreError, match=self._match):
            self._work()


@pytest.mark.req("X15")
@pytest.mark.parametrize("moment", ["asking", "committing", "committed"])
def test_a_message_is_stored_once_when_its_connection_becomes_unresponsive(address, proxy, opened, moment):
    mem = opened(f"{proxy.address(address)}?{SOON}")
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    proxy.cut(moment, silent=True)
    stored.append(chat.add("user", "meanwhile"))
    assert proxy.cuts == 0
    proxy.silent = False
    stored.append(chat.add("user", "after"))
    assert [message.seq for message in stored] == [0, 1, 2]
    assert chat.messages() == stored
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_reads_succeed_after_all_connections_become_unresponsive(address, proxy, opened):
    mem = opened(f"{proxy.address(address)}?{SOON}")
    chat = mem.conversation("c")
    stored = chat.add("user", "The heron stands in the harbour")
    for ask in (chat.messages, lambda: [hit.message for hit in chat.recall("heron")]):
        proxy.vanish()
        proxy.come_back()
        assert ask() == [stored]
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_read_without_a_response_raises_an_error(address, proxy, opened):
    mem = opened(f"{proxy.address(address)}?{SOON}")
    chat = mem.conversation("c")
    stored = chat.add("user", "The heron stands in the harbour")
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE messages")
        asking = Attempt(chat.messages, match="cannot be reached")
        until(lambda: waiting(address) == 1)  # the query is on the server; nothing is in transit
        proxy.vanish()
        asking.join()
    proxy.come_back()
    assert chat.messages() == [stored]
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_an_unreachable_server_raises_an_error_and_stores_nothing(address, proxy, opened):
    mem = opened(f"{proxy.address(address)}?{SOON}&pool_timeout=4")
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    proxy.vanish()
    with pytest.raises(StoreBusy, match="the server is down"):
        chat.messages()
    with pytest.raises(StoreBusy, match="the server is down"):
        chat.add("user", "to nobody")
    proxy.come_back()
    stored.append(chat.add("user", "after"))
    assert [message.seq for message in stored] == [0, 1]
    assert opened(address).conversation("c").messages() == chat.messages() == stored
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_a_client_that_fails_during_a_write_does_not_block_other_writers(address, proxy, opened):
    near, far = opened(address), opened(f"{proxy.address(address)}?{SOON}&pool_timeout=2")
    stored = [near.conversation("c").add("user", "before")]
    proxy.cut("committing", silent=True)
    adding = Attempt(lambda: far.conversation("c").add("user", "to nobody"), match="the server is down")
    until(lambda: proxy.cuts == 0)  # its transaction is open and holds the lock of the space
    proxy.vanish()
    stored.append(near.conversation("c").add("user", "after"))
    adding.join()
    proxy.close()
    assert near.conversation("c").messages() == stored
    assert_healthy(near)

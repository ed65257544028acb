"""A server that goes away, a network that breaks, a wrong clock: what was acknowledged is there once, in order."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psycopg
import pytest
from tests.conftest import FakeClock
from tests.postgres_server import Server
from tests.relay import Relay

from recollect import Memory, StoreBusy, StoreError

CAREFUL = {"fsync": "on", "synchronous_commit": "on", "wal_level": "replica", "max_wal_senders": "4"}


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may stop and start; it waits for the disk as in earnest."""
    server = Server(CAREFUL)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def relay(postgres: Server) -> Iterator[Relay]:
    relay = Relay(postgres.port)
    yield relay
    relay.close()


def through(relay: Relay, address: str) -> str:
    return address.replace(f":{address.rpartition(':')[2].split('/')[0]}/", f":{relay.port}/")


def kept(memory: Memory, space: str = "alice", conversation: str = "c") -> list[str]:
    messages = memory.space(space).conversation(conversation).messages(limit=10_000)
    assert [message.seq for message in messages] == list(range(len(messages)))
    return [message.text for message in messages]


class Talker:
    """Adds to a conversation of its own until it is told to stop; knows what was acknowledged."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._chat = memory.space("alice").conversation(name)
        self.name = name
        self.acknowledged: list[str] = []
        self.failed = 0
        self.stopping = threading.Event()
        self.begun = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.stopping.is_set():
            text = f"{self.name} says {number}"
            number += 1
            try:
                self._chat.add("user", text)
            except StoreError:
                self.failed += 1
                continue
            self.acknowledged.append(text)
            if len(self.acknowledged) >= 3:
                self.begun.set()


@pytest.mark.req("C11")
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_is_restarted_under_load_loses_nothing(own_server: Server, mode: str):
    address = own_server.address(own_server.make_database())
    with Memory(address, worker=False, embedder="none", environment={}) as memory:
        talkers = [Talker(memory, f"t{n}") for n in range(4)]
        with ThreadPoolExecutor(len(talkers)) as threads:
            running = [threads.submit(talker.run) for talker in talkers]
            for talker in talkers:
                assert talker.begun.wait(60)
            own_server.stop(mode)
            own_server.start()
            for talker in talkers:
                talker.begun.clear()
            assert all(talker.begun.wait(60) for talker in talkers)
            for talker in talkers:
                talker.stopping.set()
            for each in running:
                each.result(60)
        for talker in talkers:
            there = kept(memory, conversation=talker.name)
            acknowledged = set(talker.acknowledged)
            assert [text for text in there if text in acknowledged] == talker.acknowledged
            assert len(there) == len(set(there))
            assert len(there) <= len(talker.acknowledged) + talker.failed


@pytest.mark.req("C11")
def test_a_connection_that_is_cut_before_the_commit_is_tried_again(relay: Relay, address: str, open_memory):
    memory = open_memory(through(relay, address), embedder="none")
    chat = memory.space("alice").conversation("c")
    chat.add("user", "one")
    relay.cut_after = lambda data: b"INSERT INTO messages" in data or b"UPDATE conversations" in data
    chat.add("user", "two")
    assert relay.cuts == 1
    chat.add("user", "three")
    assert kept(memory) == ["one", "two", "three"]


@pytest.mark.req("C11")
def test_a_commit_whose_fate_is_unknown_is_not_done_twice(relay: Relay, address: str, open_memory):
    """The server commits, and its answer is lost: the same message is sent again, and known by its id."""
    memory = open_memory(through(relay, address), embedder="none")
    chat = memory.space("alice").conversation("c")
    chat.add("user", "one")
    relay.cut_after = lambda data: b"COMMIT" in data
    second = chat.add("user", "two")
    assert relay.cuts == 1
    relay.cut_after = lambda data: b"COMMIT" in data
    chat.add_many([{"role": "user", "content": "three"}, {"role": "assistant", "content": "four"}])
    assert relay.cuts == 2
    assert kept(memory) == ["one", "two", "three", "four"]
    assert chat.messages()[1].id == second.id


@pytest.mark.req("C11")
def test_connections_that_died_while_idle_are_replaced(relay: Relay, address: str, open_memory):
    memory = open_memory(through(relay, address), embedder="none")
    chat = memory.space("alice").conversation("c")
    chat.add("user", "one")
    relay.cut()
    assert kept(memory) == ["one"]
    relay.cut()
    chat.add("user", "two")
    relay.cut()
    assert memory.space("alice").recall("one two", limit=5)
    assert kept(memory) == ["one", "two"]


@pytest.mark.req("C11")
@pytest.mark.slow
def test_a_network_of_200_ms_is_slow_and_right(relay: Relay, address: str, open_memory):
    memory = open_memory(through(relay, address), embedder="none")
    relay.delay = 0.1  # each way
    chat = memory.space("alice").conversation("c")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: chat.add("user", f"number {n}"), range(8)))
    relay.delay = 0.0
    assert sorted(kept(memory)) == [f"number {n}" for n in range(8)]


@pytest.mark.req("C11")
def test_who_finds_no_free_connection_is_told(address: str, open_memory):
    memory = open_memory(f"{address}?pool_size=2&pool_timeout=0.5", embedder="none")
    memory.space("alice").conversation("c").add("user", "one")
    taken, go_on = threading.Barrier(3), threading.Event()

    def hold() -> None:
        with memory._store.still():
            taken.wait(30)
            go_on.wait(30)

    with ThreadPoolExecutor(2) as threads:
        holding = [threads.submit(hold) for _ in range(2)]
        taken.wait(30)
        with pytest.raises(StoreBusy, match="no connection was free"):
            memory.space("alice").conversation("c").add("user", "two")
        go_on.set()
        for each in holding:
            each.result(30)
    memory.space("alice").conversation("c").add("user", "three")
    assert kept(memory) == ["one", "three"]


@pytest.mark.req("C11")
def test_a_statement_that_takes_too_long_stores_nothing_and_is_told(address: str, open_memory):
    memory = open_memory(f"{address}?options=-c%20statement_timeout%3D500", embedder="none")
    chat = memory.space("alice").conversation("c")
    chat.add("user", "one")
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreBusy, match="longer than the server allows"):
            chat.add("user", "two")
    chat.add("user", "three")
    assert kept(memory) == ["one", "three"]


@pytest.mark.req("C11")
def test_a_process_whose_clock_is_an_hour_ahead_keeps_no_other_from_working(
    address: str, open_memory, clock: FakeClock
):
    right = open_memory(address, clock=clock)
    wrong = open_memory(address, clock=lambda: clock() + timedelta(hours=1))
    wrong.space("alice").conversation("c").add("user", "The heron is early")
    right.space("alice").conversation("c").add("user", "The heron is on time")
    right.flush()
    assert {hit.text for hit in right.space("alice").recall("heron")} == {"The heron is early", "The heron is on time"}
    assert kept(right) == ["The heron is early", "The heron is on time"]
    model = right.status().models[0]
    assert model.embedded == model.expected


@pytest.mark.req("C11")
@pytest.mark.slow
def test_a_promoted_replica_goes_on_where_the_primary_stopped(own_server: Server):
    """With a synchronous replica, what was acknowledged is on both."""
    name = own_server.make_database()
    replica = Server.replica_of(own_server)
    try:
        replica.start()
        own_server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        ports = f"127.0.0.1:{own_server.port},127.0.0.1:{replica.port}"
        address = f"postgresql://recollect@{ports}/{name}?target_session_attrs=read-write"
        with Memory(address, worker=False, embedder="none", environment={}) as memory:
            talker = Talker(memory, "t")
            thread = threading.Thread(target=talker.run)
            thread.start()
            assert talker.begun.wait(60)
            own_server.stop("immediate")
            replica.promote()
            talker.begun.clear()
            assert talker.begun.wait(60)
            talker.stopping.set()
            thread.join(60)
            there = kept(memory, conversation="t")
        acknowledged = set(talker.acknowledged)
        assert [text for text in there if text in acknowledged] == talker.acknowledged
        assert len(there) == len(set(there))
    finally:
        replica.remove()

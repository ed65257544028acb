"""A real PostgreSQL server that the tests may stop, with a disk that is waited for; and real processes that use it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from tests.child import PATIENCE, Child
from tests.faults.proxy import Proxy
from tests.postgres_server import Server, running

from aforesaid import Memory
from aforesaid.ports import Clock, Vectors

CHILDREN = Path(__file__).parent / "children"
DURABLE = {"shared_buffers": "32MB", "recovery_init_sync_method": "syncfs"}  # fsync is on, as it always is


class Lengths:
    """An embedder."""

    name = "lengths:2"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[len(text), 1] for text in texts], np.float32)


def ahead(**time: float) -> Clock:
    """A clock that is wrong, or that of a later time."""
    return lambda: datetime.now(UTC) + timedelta(**time)


def leave_work(mem: Memory) -> None:
    mem.conversation("c").add_many([{"role": "user", "content": f"number {n}"} for n in range(5)])


def until(condition: Callable[[], object]) -> None:
    """Returns when a condition holds that others bring about."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def assert_healthy(mem: Memory) -> None:
    mem.flush()
    assert [finding for finding in mem.doctor() if not finding.ok] == []


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """In place of the server that all other tests share: this one waits for its disk, and is stopped at will."""
    with running(Server(DURABLE)) as server:
        yield server


@pytest.fixture
def address(server: Server) -> str:
    """The address of an empty database."""
    return server.address(server.make_database())


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


@pytest.fixture
def crowd() -> Iterator[Callable[..., Child]]:
    """Starts crowds; nobody of them outlives the test."""
    crowds: list[Child] = []

    def begin(what: str, how_many: int, address: str, *arguments: object) -> Child:
        crowds.append(Child(CHILDREN / "crowd.py", what, how_many, address, *arguments))
        assert crowds[-1].line() == "ready"
        return crowds[-1]

    yield begin
    for each in crowds:
        each.stop()


@pytest.fixture
def opened() -> Iterator[Callable[..., Memory]]:
    """Opens stores without a worker and without an embedder; closes them at the end."""
    memories: list[Memory] = []

    def open_(address: str, **rest: object) -> Memory:
        memories.append(Memory(address, **{"worker": False, "embedder": "none", "environment": {}, **rest}))
        return memories[-1]

    yield open_
    for memory in memories:
        memory.close()


@pytest.fixture
def kept(opened: Callable[..., Memory]) -> Callable[..., None]:
    """Fails unless what was acknowledged is there, once, in order, with nothing else, and all is well."""

    def check(address: str, acknowledged: list[str], *, unheard: int = 0) -> None:
        """`acknowledged` has a line "WHO NUMBER SEQ" for each message; `unheard` writers were killed."""
        told = {int(seq): f"{who}x{number} said something" for who, number, seq in map(str.split, acknowledged)}
        assert len(told) == len(acknowledged)
        mem = opened(address)
        messages = mem.conversation("c").messages(1_000_000)
        assert [message.seq for message in messages] == list(range(len(messages)))
        stored = {message.seq: message.text for message in messages}
        assert {seq: stored.get(seq) for seq in told} == told
        assert len(stored) - len(told) <= unheard
        by_writer = defaultdict(list)
        for text in stored.values():
            who, _, number = text.split(" ", 1)[0].partition("x")
            by_writer[who].append(int(number))
        assert all(numbers == list(range(len(numbers))) for numbers in by_writer.values())
        assert_healthy(mem)

    return check

"""Fixtures for fault tests: a PostgreSQL server with fsync that the tests can stop, and processes that use it."""

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
DURABLE = {"shared_buffers": "32MB", "recovery_init_sync_method": "syncfs"}  # fsync stays on, the default


class Lengths:
    """Embeds texts by their length."""

    name = "lengths:2"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[len(text), 1] for text in texts], np.float32)


def ahead(**time: float) -> Clock:
    """Returns a clock that is ahead by the given time."""
    return lambda: datetime.now(UTC) + timedelta(**time)


def leave_work(mem: Memory) -> None:
    mem.conversation("c").add_many([{"role": "user", "content": f"number {n}"} for n in range(5)])


def until(condition: Callable[[], object]) -> None:
    """Polls until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def first_lines(adders: Child, processes: int, count: int) -> list[str | None]:
    """Returns at least `count` lines of `crowd.py add`, at least one of each process: then every process has opened
    its Memory. A server that stops before that is an error, because opening does not wait for a server."""
    lines: list[str | None] = []
    while len(lines) < count or len({line.split()[0] for line in lines if line}) < processes:
        lines.append(adders.line())
        assert lines[-1] is not None, f"{processes} processes have added only {lines}"
    return lines


def assert_healthy(mem: Memory) -> None:
    mem.flush()
    assert [finding for finding in mem.doctor() if not finding.ok] == []


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Replaces the shared test server with one that uses fsync and that tests can stop."""
    with running(Server(DURABLE)) as server:
        yield server


@pytest.fixture
def address(server: Server) -> str:
    """Returns the address of an empty database."""
    return server.address(server.make_database())


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


@pytest.fixture
def crowd() -> Iterator[Callable[..., Child]]:
    """Starts groups of child processes and stops them at the end of the test."""
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
    """Fails unless exactly the acknowledged messages are stored, once and in order, and the doctor finds no problem."""

    def check(address: str, acknowledged: list[str], *, unheard: int = 0) -> None:
        """`acknowledged` has a line "WHO NUMBER SEQ" per message; `unheard` is the number of killed writers."""
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

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from fastapi import FastAPI
from hypothesis import settings
from starlette.datastructures import State
from starlette.types import Receive, Scope, Send

from aforesaid import Job, Memory
from aforesaid.server.app import make_app
from tests.on_a_server import cannot_be_remote
from tests.postgres_server import Server
from tests.serving import serving

settings.register_profile("untimed", deadline=None)  # the duration of an example depends on the machine
settings.load_profile("untimed")

# Reading the certificates takes 17 ms for each of thousands of HTTP clients: all clients of a test process share them.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)

LONG = ("contract", "robustness", "faults", "page", "bench", "postgres", "server", "tests")  # the slowest folders

UNDISTILLED = {  # the environment of a test with thousands of messages that needs nothing derived from them but vectors
    "AFORESAID_FACTS": "false",
    "AFORESAID_EPISODES": "false",
    "AFORESAID_AUTO_PINS": "false",
    "AFORESAID_SUMMARIES": "off",
}

# An in-memory store runs the same code as a file, except for opening connections: these suites cover the difference.
IN_MEMORY = {"messages", "recall", "context", "facts", "forget", "jobs", "changes", "summaries", "export", "ledger"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects redundant in-memory repetitions and what does not run on a server. Runs long files first, so that no
    worker is still busy with a long file when the others are done."""
    left_out = [item for item in items if repeats_in_memory(item) or cannot_be_remote(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not (repeats_in_memory(item) or cannot_be_remote(item))]

    def turn(item: pytest.Item) -> int:
        folder = item.path.parent.name
        return LONG.index(folder) if folder in LONG else len(LONG)

    items.sort(key=turn)


def repeats_in_memory(item: pytest.Item) -> bool:
    """Returns whether a contract test runs on an in-memory store only because the fixture `memory` provides one."""
    parameters = getattr(item, "callspec", None)
    if item.path.parent.name != "contract" or parameters is None or parameters.params.get("memory") != "memory":
        return False
    return item.path.stem.removeprefix("test_") not in IN_MEMORY


class FakeClock:
    """A clock that advances only when a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **amount: float) -> None:
        self.now += timedelta(**amount)


def embeddings(memory: Memory) -> list[Job]:
    """Returns the jobs that embed messages."""
    return [job for job in memory.jobs(limit=1_000_000) if job.kind == "embed"]


def states(memory: Memory, kind: str = "embed") -> dict[str, int]:
    """Returns the number of jobs of a kind in each state."""
    return dict(Counter(job.state for job in memory.jobs(limit=1_000_000) if job.kind == kind))


def sql(memory: Memory, statement: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """Runs a statement directly on the database of the test's store; `:name` is a placeholder for a value."""
    return memory.engine.store.database.write(lambda session: session.raw(statement, values), alone=True)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


@pytest.fixture
def open_memory(path: str) -> Iterator[Callable[..., Memory]]:
    """Opens a Memory on the test's file (or on `store`), by default without a worker; closes it at the end."""
    opened: list[Memory] = []

    def open_(store: str | None = None, **rest: Any) -> Memory:
        rest.setdefault("worker", False)
        rest.setdefault("environment", {})
        opened.append(Memory(store or path, **rest))
        return opened[-1]

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Starts a PostgreSQL server, one per test process."""
    postgres = Server()
    try:
        postgres.start()
        postgres.watch()
        yield postgres
    finally:
        postgres.remove()


@pytest.fixture(scope="session")
def tables(postgres: Server) -> str:
    """Returns the name of a database that has aforesaid's tables."""
    name = postgres.make_database()
    Memory(postgres.address(name), worker=False, embedder="none", environment={}).close()
    return name


@pytest.fixture
def address(postgres: Server, tables: str) -> Iterator[str]:
    """Returns the address of a database with empty tables, for exclusive use by one test."""
    yield postgres.address(tables)
    postgres.clear(tables)


class Switch:
    """An ASGI application that passes requests on to the one of the current test: starting a server for each takes too
    long. Its own lifespan is empty: the MCP endpoints of the application are not used."""

    def __init__(self) -> None:
        self.app: FastAPI | None = None

    @property
    def state(self) -> State:
        return self.app.state if self.app else State({"streams": NoStreams()})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        elif self.app is not None:
            await self.app(scope, receive, send)


class NoStreams:
    def close(self) -> set[None]:
        return set()


@pytest.fixture(scope="session")
def web_server() -> Iterator[tuple[Switch, str]]:
    """Starts a server, one per test process, and returns it with its address."""
    switch = Switch()
    with serving(switch) as url:  # type: ignore[arg-type]
        yield switch, url


@pytest.fixture
def remote_memory(
    request: pytest.FixtureRequest, open_memory: Callable[..., Memory], clock: FakeClock
) -> Iterator[Memory]:
    """Opens a Memory on a server, which has a SQLite file and the same clock."""
    switch, url = request.getfixturevalue("web_server")
    switch.app = make_app(open_memory(clock=clock))
    try:
        with Memory(url, clock=clock, environment={}) as memory:
            yield memory
    finally:
        switch.app = None


@pytest.fixture(params=["file", "memory", "postgres", "remote"])
def memory(request: pytest.FixtureRequest, open_memory: Callable[..., Memory], clock: FakeClock) -> Iterator[Memory]:
    """Opens a Memory on each kind of store, and on a server, with a clock that the test controls."""
    if request.param == "remote":
        yield request.getfixturevalue("remote_memory")
        return
    store = request.getfixturevalue("address") if request.param == "postgres" else None
    memory = open_memory(":memory:" if request.param == "memory" else store, clock=clock)
    yield memory
    memory.close()

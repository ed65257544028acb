from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx2
import pytest
from tests.serving import client

from aforesaid import Memory
from aforesaid.server.app import AppOptions, make_app


@pytest.fixture
def store(open_memory, clock) -> Memory:
    """The Memory that is served, with a clock that the test moves."""
    return open_memory(clock=clock)


@pytest.fixture
def serve(store: Memory) -> Iterator[Callable[..., httpx2.Client]]:
    """Serves the store with these options; gives a client of it."""
    with ExitStack() as stack:

        def start(headers: dict[str, str] | None = None, **options) -> httpx2.Client:
            return stack.enter_context(client(make_app(store, AppOptions(**options)), headers=headers))

        yield start


@pytest.fixture
def http(serve) -> httpx2.Client:
    """A client of the open server, on paths below /api/memory."""
    made = serve()
    made.base_url = made.base_url.join("/api/memory/")
    return made


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}

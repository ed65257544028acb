from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx2
import pytest
from tests.serving import client

from aforesaid import Memory
from aforesaid.server.app import AppOptions, make_app

FILE = {"Content-Type": "application/octet-stream"}  # an uploaded file; a POST without a Content-Type is refused


@pytest.fixture
def store(open_memory, clock) -> Memory:
    """The Memory that the server uses, with a clock that the test controls."""
    return open_memory(clock=clock)


@pytest.fixture
def serve(store: Memory) -> Iterator[Callable[..., httpx2.Client]]:
    """Starts a server on the store with the given options and returns a client."""
    with ExitStack() as stack:

        def start(headers: dict[str, str] | None = None, **options) -> httpx2.Client:
            return stack.enter_context(client(make_app(store, AppOptions(**options)), headers=headers))

        yield start


@pytest.fixture
def http(serve) -> httpx2.Client:
    """A client of a server without keys; its paths are relative to /api/memory."""
    made = serve()
    made.base_url = made.base_url.join("/api/memory/")
    return made


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}

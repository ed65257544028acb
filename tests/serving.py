"""A real server on the loopback interface, in a thread of the test's process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import uvicorn
from fastapi import FastAPI

from recollect.server.serve import configured, listen


class Quiet(uvicorn.Server):
    """Says when connections are taken. Signals are the test's own."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(configured(app))
        self.ready = threading.Event()

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The address of a server that answers as long as the context is open."""
    bound = listen("127.0.0.1", 0)
    server = Quiet(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    assert server.ready.wait(30)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


@contextmanager
def client(app: FastAPI, **rest) -> Iterator[httpx2.Client]:
    """A client of a server of its own."""
    with serving(app) as url, httpx2.Client(base_url=url, timeout=30, **rest) as made:
        yield made

"""Questions to a service over HTTP that end in time, whatever the service does.

They run in event loops of their own: that is what lets a deadline, or another thread, end a pause or a connection that
says nothing.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, TypeVar

import anyio
import httpx2

from recollect.errors import ClosedError, ProviderError
from recollect.models import Json
from recollect.providers.call import Call
from recollect.providers.post import Service, post
from recollect.providers.wire import unproxied

T = TypeVar("T")
Post = Callable[[Json], Awaitable[Json]]

DEADLINE = 90.0  # seconds; three askings are over before a summary in the making counts as stuck
CONNECT = 10.0
PAUSE = 0.5


class Exchange:
    """One service that is asked. Safe to share by threads.

    What is asked is over at `deadline`, with every repetition and pause; `close` ends it at once with ClosedError.
    Errors repeat neither the headers nor a word of question or answer.
    """

    def __init__(self, service: Service, headers: dict[str, str], *, deadline: float = DEADLINE) -> None:
        self._service = service
        self._headers = {"Accept-Encoding": "identity", **headers}  # no small answer may grow when unpacked
        self._deadline = deadline
        self._lock = threading.Lock()
        self._closed = False
        self._running: set[Call[Any]] = set()
        self._trust: ssl.SSLContext | None = None

    def run(self, work: Callable[[Post], Awaitable[T]]) -> T:
        """What `work` gives, that may post more than once until the deadline."""
        with self._under_way(work) as call:
            try:
                return call.result()
            except CancelledError:
                raise ClosedError(f"the Memory was closed while {self._service.name} was asked") from None

    def close(self) -> None:
        """Ends what is under way. Whoever asks later gets ClosedError."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for call in running:
            call.cancel()

    @contextmanager
    def _under_way(self, work: Callable[[Post], Awaitable[T]]) -> Iterator[Call[T]]:
        with self._lock:
            if self._closed:
                raise ClosedError(f"{self._service.name} is closed, with the Memory that it belongs to")
            call = Call(lambda: self._in_time(work))
            self._running.add(call)
        try:
            yield call
        finally:
            with self._lock:
                self._running.discard(call)

    async def _in_time(self, work: Callable[[Post], Awaitable[T]]) -> T:
        try:
            with anyio.fail_after(self._deadline):
                async with self._client() as client:
                    return await work(lambda question: post(client, self._service, question))
        except TimeoutError:
            raise ProviderError(
                f"{self._service.name} did not answer within {self._deadline:g} s", charged=True
            ) from None

    def _client(self) -> httpx2.AsyncClient:
        if self._trust is None:
            self._trust = httpx2.create_ssl_context()
        timeout = httpx2.Timeout(None, connect=CONNECT)  # the deadline ends the rest
        mounts = unproxied(self._service.url)
        return httpx2.AsyncClient(headers=self._headers, timeout=timeout, mounts=mounts, verify=self._trust)

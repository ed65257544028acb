"""Questions to a service over HTTP that end in time, whatever the service does.

They run in event loops of their own: that is what lets a deadline, or another thread, end a pause or a connection that
says nothing.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Any, TypeVar

import anyio
import httpx2

from recollect.errors import ClosedError, ProviderError
from recollect.models import Json
from recollect.providers.call import Call
from recollect.providers.post import Service, Take, post
from recollect.providers.wire import unproxied

T = TypeVar("T")

DEADLINE = 90.0  # seconds; three askings are over before a summary in the making counts as stuck
CONNECT = 10.0
PAUSE = 0.5
SILENCE = 60.0  # seconds between two pieces of an answer
LONGEST = 600.0  # seconds that an answer may go on


class Line:
    """A connection to a service, as long as it is open."""

    def __init__(self, client: httpx2.AsyncClient, service: Service, scope: anyio.CancelScope, silence: float) -> None:
        self._client = client
        self._service = service
        self._scope = scope
        self._silence = silence
        self._begun = anyio.current_time()

    async def post(self, question: Json, take: Take[T]) -> T:
        return await post(self._client, self._service, question, take)

    def heard(self) -> None:
        """Puts the deadline off: the service has begun to answer, and is at it."""
        self._scope.deadline = min(anyio.current_time() + self._silence, self._begun + LONGEST)


Work = Callable[[Line], Awaitable[T]]


class Exchange:
    """One service that is asked. Safe to share by threads.

    What is asked is over at `deadline`, with every repetition and pause, unless it is put off, `silence` seconds
    each time; `close` ends it at once with ClosedError. Errors repeat neither the headers nor a word of question or
    answer.
    """

    def __init__(
        self, service: Service, headers: dict[str, str], *, deadline: float = DEADLINE, silence: float = SILENCE
    ) -> None:
        self._service = service
        self._headers = {"Accept-Encoding": "identity", **headers}  # no small answer may grow when unpacked
        self._deadline = deadline
        self._silence = silence
        self._lock = threading.RLock()  # a call that nobody wants any more may be dropped anywhere
        self._closed = False
        self._running: set[Call[Any]] = set()
        self._trust: ssl.SSLContext | None = None

    def run(self, work: Work[T]) -> T:
        """What `work` gives, that may post more than once until the deadline."""
        return self.outcome(self.begin(work))

    def begin(self, work: Work[T]) -> Call[T]:
        """The same, without waiting for it."""
        with self._lock:
            if self._closed:
                raise ClosedError(f"{self._service.name} is closed, with the Memory that it belongs to")
            call = Call(lambda: self._in_time(work))
            self._running.add(call)
        call.when_over(partial(self._running.discard, call))
        return call

    def outcome(self, call: Call[T]) -> T:
        """What a call gives, once it does; ClosedError where it was called off."""
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

    async def _in_time(self, work: Work[T]) -> T:
        name = self._service.name
        try:
            with anyio.fail_after(self._deadline) as scope:
                first = scope.deadline
                async with self._client() as client:
                    return await work(Line(client, self._service, scope, self._silence))
        except TimeoutError:
            if scope.deadline != first:
                raise ProviderError(f"{name} did not bring its answer to an end in time", charged=True) from None
            raise ProviderError(f"{name} did not answer within {self._deadline:g} s", charged=True) from None

    def _client(self) -> httpx2.AsyncClient:
        if self._trust is None:
            self._trust = httpx2.create_ssl_context()
        timeout = httpx2.Timeout(None, connect=CONNECT)  # the deadline ends the rest
        mounts = unproxied(self._service.url)
        return httpx2.AsyncClient(headers=self._headers, timeout=timeout, mounts=mounts, verify=self._trust)

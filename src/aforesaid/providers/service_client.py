"""A client for one service with a deadline per call.

Each call runs in its own event loop, so a deadline or another thread can cancel it at any time."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import anyio
import httpx2

from aforesaid.errors import ClosedError, ProviderError
from aforesaid.models.json import Json
from aforesaid.providers.http_client import ResponseReader, Service, post_with_retries, proxy_mounts

T = TypeVar("T")


class BackgroundCall(Generic[T]):
    """A coroutine that runs in a thread of its own, immediately. `cancel` releases a waiting thread immediately."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._outcome: Future[T] = Future()
        threading.Thread(target=lambda: asyncio.run(self._run()), name="aforesaid-call", daemon=True).start()

    def result(self) -> T:
        """Returns or raises the result of the coroutine; `concurrent.futures.CancelledError` after `cancel`."""
        try:
            return self._outcome.result()
        finally:
            self.cancel()  # if the wait is interrupted, the answer is not needed

    def cancel(self) -> None:
        self._outcome.cancel()

    def add_done_callback(self, callback: Callable[[], object]) -> None:
        """Calls `callback` at the end or after `cancel`, in the thread that causes it."""
        self._outcome.add_done_callback(lambda _: callback())

    async def _run(self) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel_task(outcome: Future[T]) -> None:
            if outcome.cancelled() and task is not None:
                with suppress(RuntimeError):  # the event loop has ended meanwhile
                    loop.call_soon_threadsafe(task.cancel)

        self._outcome.add_done_callback(cancel_task)
        with suppress(InvalidStateError, asyncio.CancelledError):
            try:
                self._outcome.set_result(await self._work())
            except Exception as exc:  # noqa: BLE001 (raised again in the thread that waits)
                self._outcome.set_exception(exc)


DEADLINE_SECONDS = 90.0  # before the first chunk of an answer
CONNECT_SECONDS = 10.0
FIRST_PAUSE = 0.5
IDLE_SECONDS = 60.0  # between two chunks of an answer
LOCAL_SECONDS = 300.0  # before the first chunk of a local model, which loads and reads the prompt first
LONGEST_SECONDS = 1_800.0  # for a whole answer


@dataclass(frozen=True, slots=True)
class ServiceConnection:
    """An open connection to a service."""

    client: httpx2.AsyncClient
    service: Service
    scope: anyio.CancelScope
    silence: float
    begun: float = field(default_factory=anyio.current_time)

    async def post(self, body: Json, read: ResponseReader[T], retrying: Callable[[], object] = lambda: None) -> T:
        return await post_with_retries(self.client, self.service, body, read, retrying)

    def extend_deadline(self) -> None:
        """Extends the deadline, because the service is answering."""
        self.scope.deadline = min(anyio.current_time() + self.silence, self.begun + LONGEST_SECONDS)


ServiceTask = Callable[[ServiceConnection], Awaitable[T]]


class ServiceClient:
    """Calls one service. Safe for several threads.

    A call with all its retries and pauses ends at the `deadline`, which each chunk of an answer extends by `silence`
    seconds. `close` ends it immediately with ClosedError. Errors repeat no header and no text of a request or answer.
    """

    def __init__(
        self,
        service: Service,
        headers: dict[str, str],
        *,
        deadline: float = DEADLINE_SECONDS,
        silence: float = IDLE_SECONDS,
    ) -> None:
        self._service = service
        self._headers = {"Accept-Encoding": "identity", **headers}  # a small answer must not grow when unpacked
        self._deadline = deadline
        self._silence = silence
        self._lock = threading.RLock()  # a call may be garbage-collected anywhere
        self._closed = False
        self._running: set[BackgroundCall[Any]] = set()
        self._trust: ssl.SSLContext | None = None

    def run(self, work: ServiceTask[T]) -> T:
        """The result of `work`, which may send several requests until the deadline."""
        return self.outcome(self.begin(work))

    def begin(self, work: ServiceTask[T]) -> BackgroundCall[T]:
        """Starts `work` without waiting for it."""
        with self._lock:
            if self._closed:
                raise ClosedError(f"{self._service.name} is closed, with its Memory")
            call = BackgroundCall(lambda: self._run_in_time(work))
            self._running.add(call)
        call.add_done_callback(partial(self._running.discard, call))
        return call

    def outcome(self, call: BackgroundCall[T]) -> T:
        """Waits for the result of a call. Raises ClosedError if it was cancelled."""
        try:
            return call.result()
        except CancelledError:
            raise ClosedError(f"the Memory was closed during a call of {self._service.name}") from None

    def close(self) -> None:
        """Ends all running calls. Later calls raise ClosedError."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for call in running:
            call.cancel()

    async def _run_in_time(self, work: ServiceTask[T]) -> T:
        name = self._service.name
        try:
            with anyio.fail_after(self._deadline) as scope:
                first = scope.deadline
                async with self._client() as client:
                    return await work(ServiceConnection(client, self._service, scope, self._silence))
        except TimeoutError:
            if scope.deadline != first:
                raise ProviderError(f"{name} did not complete its answer in time", charged=True) from None
            raise ProviderError(f"{name} did not answer within {self._deadline:g} s", charged=True) from None

    def _client(self) -> httpx2.AsyncClient:
        if self._trust is None:
            self._trust = httpx2.create_ssl_context()
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)  # the deadline applies to everything else
        mounts = proxy_mounts(self._service.url)
        return httpx2.AsyncClient(headers=self._headers, timeout=timeout, mounts=mounts, verify=self._trust)

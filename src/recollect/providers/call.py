"""A coroutine in a thread of its own, that any thread can call off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Call(Generic[T]):
    """Begins at once. Who waits is let go at once when it is called off; the thread winds up behind it."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._outcome: Future[T] = Future()
        threading.Thread(target=lambda: asyncio.run(self._run()), name="recollect-call", daemon=True).start()

    def result(self) -> T:
        """What the coroutine gives or raises; `concurrent.futures.CancelledError` where it was called off."""
        try:
            return self._outcome.result()
        finally:
            self.cancel()  # where the wait was interrupted, nobody wants the answer any more

    def cancel(self) -> None:
        self._outcome.cancel()

    def when_over(self, tell: Callable[[], object]) -> None:
        """Has `tell` called once it has ended or was called off, by the thread that did it."""
        self._outcome.add_done_callback(lambda _: tell())

    async def _run(self) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def call_off(outcome: Future[T]) -> None:
            if outcome.cancelled() and task is not None:
                with suppress(RuntimeError):  # it has ended meanwhile
                    loop.call_soon_threadsafe(task.cancel)

        self._outcome.add_done_callback(call_off)
        with suppress(InvalidStateError, asyncio.CancelledError):
            try:
                self._outcome.set_result(await self._work())
            except Exception as exc:  # noqa: BLE001 (raised again in the thread that waits)
                self._outcome.set_exception(exc)

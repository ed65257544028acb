"""An answer as it comes, awaited."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType

from anyio import to_thread

from recollect.answering.answer import Answer
from recollect.context.context import Context
from recollect.models import Cost, Message


class AsyncAnswer:
    """An `Answer`, awaited: `async for piece in answer`. A thread of its own hears it, so that waiting for a model
    takes no turn from anybody.

    It goes on to its end, and is stored, though nobody waits for its pieces; `aclose`, or a cancelled task that waits
    for one, stops it at once.
    """

    def __init__(self, answer: Answer) -> None:
        self._plain = answer
        self._loop = asyncio.get_running_loop()
        self._heard: asyncio.Queue[str | Exception | None] = asyncio.Queue()
        self._over = False
        threading.Thread(target=self._hear, name="recollect-answer", daemon=True).start()

    def __repr__(self) -> str:
        return f"Async{self._plain!r}"

    @property
    def question(self) -> Message:
        return self._plain.question

    @property
    def context(self) -> Context:
        return self._plain.context

    @property
    def model(self) -> str:
        return self._plain.model

    @property
    def message(self) -> Message | None:
        return self._plain.message

    @property
    def text(self) -> str:
        return self._plain.text

    @property
    def cost(self) -> Cost | None:
        return self._plain.cost

    def __aiter__(self) -> AsyncAnswer:
        return self

    async def __anext__(self) -> str:
        if self._over:
            raise StopAsyncIteration
        try:
            heard = await self._heard.get()
        except asyncio.CancelledError:
            self._over = True
            self._plain.stop()
            raise
        if isinstance(heard, str):
            return heard
        self._over = True
        if heard is not None:
            raise heard
        raise StopAsyncIteration

    def stop(self) -> None:
        """Stops it at once, without waiting for anything."""
        self._plain.stop()

    async def aclose(self) -> None:
        """Stops it at once. Does nothing where it is over."""
        self._over = True
        await to_thread.run_sync(self._plain.close)

    async def __aenter__(self) -> AsyncAnswer:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._plain.stop()
        await self.aclose()

    def _hear(self) -> None:
        end: Exception | None = None
        try:
            for piece in self._plain:
                self._tell(piece)
        except Exception as exc:  # noqa: BLE001 (raised again where it is awaited)
            end = exc
        self._tell(end)

    def _tell(self, heard: str | Exception | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._heard.put_nowait, heard)
        except RuntimeError:  # the loop is gone, and with it whoever waited
            self._plain.stop()

"""The asynchronous form of a streamed answer."""

from __future__ import annotations

import asyncio
import threading

from anyio import to_thread

from aforesaid.answering.answer import Answer
from aforesaid.models.cost import Cost
from aforesaid.models.message import Message


class AsyncAnswer:
    """An `Answer` for `async for piece in answer`. It is read in a thread of its own, so that no other call waits.

    It continues to its end and is stored even if nobody reads its pieces. `aclose` stops it immediately, and so does
    the cancellation of a task that waits for a piece.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.question = answer.question
        self.context = answer.context
        self.model = answer.model
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[str | Exception | None] = asyncio.Queue()
        self._over = False
        threading.Thread(target=self._read, name="aforesaid-answer", daemon=True).start()

    def __repr__(self) -> str:
        return f"Async{self._answer!r}"

    @property
    def message(self) -> Message | None:
        return self._answer.message

    @property
    def text(self) -> str:
        return self._answer.text

    @property
    def cost(self) -> Cost | None:
        return self._answer.cost

    @property
    def retries(self) -> int:
        return self._answer.retries

    def __aiter__(self) -> AsyncAnswer:
        return self

    async def __anext__(self) -> str:
        if self._over:
            raise StopAsyncIteration
        try:
            piece = await self._pieces.get()
        except asyncio.CancelledError:
            self._over = True
            self._answer.stop()
            raise
        if isinstance(piece, str):
            return piece
        self._over = True
        if piece is not None:
            raise piece
        raise StopAsyncIteration

    def stop(self) -> None:
        """Stops it without waiting."""
        self._answer.stop()

    async def aclose(self) -> None:
        """Stops it immediately. Does nothing after the end."""
        self._over = True
        await to_thread.run_sync(self._answer.close)

    async def __aenter__(self) -> AsyncAnswer:
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._answer.stop()
        await self.aclose()

    def _read(self) -> None:
        end: Exception | None = None
        try:
            for piece in self._answer:
                self._put(piece)
        except Exception as exc:  # noqa: BLE001 (raised again by __anext__)
            end = exc
        self._put(end)

    def _put(self, piece: str | Exception | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)
        except RuntimeError:  # the event loop is closed
            self._answer.stop()

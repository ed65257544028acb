"""A streamed answer. It is stored when it is complete. An interrupted answer is stored only if somebody stopped it and
keeps what was written; then it is marked as stopped.

Another incomplete answer would be summarised and recalled like a complete one, so only the caller receives its pieces.
A thread of its own reads the answer, so any thread can wait for a piece or stop it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from aforesaid.answering.reasoning import ReasoningFilter
from aforesaid.answering.responder import ReplyCost
from aforesaid.context.context import Context
from aforesaid.distill.llm.llm_call import ERROR_CHARACTERS, storable
from aforesaid.errors import ClosedError, ProviderError
from aforesaid.models.cost import Cost
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.ports import ModelStream, RetryingStream

StoreReply = Callable[[str, dict[str, Json]], Message]


class Lease(Protocol):
    def release(self) -> None: ...


class Answer:
    """Iterates over the pieces of a model's answer, without its reasoning. A complete answer is stored as `message`.

    `question` is the user's message; it is stored in any case. `context` is what the model received. An interrupted
    answer raises the error after its pieces, and a closed answer ends. Neither is stored; `text` is the part that came.
    After `chat.stop_answer(…)`, the answer ends, and the part that came is stored with `stopped` in its metadata.

    Iterate to the end, or close it: `with chat.reply(…) as answer: …`
    """

    def __init__(
        self,
        question: Message,
        context: Context,
        model: str,
        source: tuple[ModelStream, ReplyCost],
        store: StoreReply,
        *,
        lease: Lease | None = None,
    ) -> None:
        self.question = question
        self.context = context
        self.model = model
        self.message: Message | None = None
        self._stream, self._cost = source
        self._store = store
        self._reasoning_filter = ReasoningFilter()
        self._pieces: list[str] = []
        self._lease = lease
        self._over = self._keep = False
        self._ending = threading.Lock()  # it ends once; `close` waits for that

    def __repr__(self) -> str:
        return f"Answer(to={self.question.id!r}, model={self.model!r})"

    @property
    def text(self) -> str:
        """The text so far; once it is stored, the text of the message."""
        return "".join(self._pieces) if self.message is None else self.message.text

    @property
    def cost(self) -> Cost | None:
        """The cost, once the answer has ended."""
        return self._cost.cost

    @property
    def retries(self) -> int:
        """How often the model was called again, because it was busy or unreachable."""
        return self._stream.retries if isinstance(self._stream, RetryingStream) else 0

    def __iter__(self) -> Answer:
        return self

    def __next__(self) -> str:
        while not self._over:
            piece = self._next()
            if piece:
                self._pieces.append(piece)
                return piece
        raise StopIteration

    def close(self) -> None:
        """Stops it immediately, from any thread. Does nothing after the end."""
        self.stop()
        with self._ending, suppress(ClosedError):  # the Memory was closed before: the reserved tokens stay spent
            self._interrupt()

    def stop(self, *, keep: bool = False) -> None:
        """Stops the stream without waiting. The thread that iterates it does the rest. With `keep`, it stores what was
        written so far, marked as stopped."""
        self._keep = self._keep or keep
        self._stream.close()

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _next(self) -> str:
        try:
            return self._reasoning_filter.feed(storable(next(self._stream)))
        except StopIteration:
            with self._ending:
                return self._end()
        except (ProviderError, ClosedError) as exc:
            charged = not isinstance(exc, ProviderError) or exc.charged
            with self._ending:
                self._interrupt(str(exc)[:ERROR_CHARACTERS], charged=charged)
            raise

    def _interrupt(self, error: str = "stopped", *, charged: bool = True) -> None:
        if not self._over:
            self._over = True
            with self._released():
                text = self.text.strip()
                self._cost.settle_interrupted(self.text, error, charged=charged)
                if self._keep and text:
                    self.message = self._store(text, self._metadata() | {"stopped": True})

    def _end(self) -> str:
        """Stores the answer and returns its last piece; empty if it was stopped."""
        completion = self._stream.completion
        if completion is None:
            self._interrupt()
        if completion is None or self._over:
            return ""
        self._over = True
        with self._released():
            self._cost.settle(completion)
            last = self._reasoning_filter.end()
            text = ("".join(self._pieces) + last).strip()
            if not text:
                raise ProviderError(f"{self.model} gave an empty answer", charged=True)
            self.message = self._store(text, self._metadata() | ({"cut": True} if completion.cut else {}))
        return last

    def _metadata(self) -> dict[str, Json]:
        return {"generated": "reply", "answers": self.question.id, "receipt": self.context.receipt.id}

    @contextmanager
    def _released(self) -> Iterator[None]:
        """Releases the lease at the end, when the answer is stored or given up."""
        try:
            yield
        finally:
            if self._lease is not None:
                self._lease.release()

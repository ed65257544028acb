"""An answer as it comes, and what is left of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from recollect.answering.aloud import Aloud
from recollect.answering.voice import Bill
from recollect.context.context import Context
from recollect.distill.parse import keepable
from recollect.errors import ClosedError, ProviderError
from recollect.models import Cost, Json, Message
from recollect.ports import Completion, Speech

Keep = Callable[[str, dict[str, Json]], Message]

NOTED = 300  # characters of an error that the ledger keeps


class Answer:
    """Pieces of text as a model says them. When they end, the answer is stored, and is `message`.

    `question` is the user's message, stored whatever becomes of the answer; `context` is what the model saw. An answer
    that breaks off raises what happened after the pieces that came; one that is closed has no more of them. Neither is
    stored: `text` is what came of it. What the model thought aloud is left out.

    Iterate to the end, or close it: `with chat.reply(…) as answer: …`
    """

    def __init__(
        self, question: Message, context: Context, model: str, spoken: tuple[Speech, Bill], keep: Keep
    ) -> None:
        self.question = question
        self.context = context
        self.model = model
        self.message: Message | None = None
        self._speech, self._bill = spoken
        self._keep = keep
        self._aloud = Aloud()
        self._said: list[str] = []
        self._over = False
        self._ending = threading.Lock()  # it ends once, and whoever closes it then waits for that

    def __repr__(self) -> str:
        return f"Answer(to={self.question.id!r}, model={self.model!r})"

    @property
    def text(self) -> str:
        """What has come so far; once it is stored, the message's text."""
        return "".join(self._said) if self.message is None else self.message.text

    @property
    def cost(self) -> Cost | None:
        """What it took, once it is over."""
        return self._bill.cost

    def __iter__(self) -> Answer:
        return self

    def __next__(self) -> str:
        while not self._over:
            piece = self._heard()
            if piece:
                self._said.append(piece)
                return piece
        raise StopIteration

    def close(self) -> None:
        """Stops it at once, from any thread. Does nothing where it is over."""
        self.stop()
        with self._ending, suppress(ClosedError):  # the Memory was closed before: what was set aside stays paid
            self._stopped()

    def stop(self) -> None:
        """Stops it for a thread that iterates it, which does the rest. Never waits."""
        self._speech.close()

    def __enter__(self) -> Answer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _heard(self) -> str:
        try:
            return self._aloud.feed(keepable(next(self._speech)))
        except StopIteration:
            with self._ending:
                return self._end()
        except (ProviderError, ClosedError) as exc:
            charged = not isinstance(exc, ProviderError) or exc.charged
            with self._ending:
                self._stopped(str(exc)[:NOTED], charged=charged)
            raise

    def _stopped(self, error: str = "stopped", *, charged: bool = True) -> None:
        if not self._over:
            self._over = True
            self._bill.broken(self.text, error, charged=charged)

    def _end(self) -> str:
        """The last piece, once the answer is stored; nothing where it was stopped."""
        whole = self._speech.completion
        if whole is None:
            self._stopped()
        if whole is None or self._over:
            return ""
        self._over = True
        self._bill.whole(whole)
        last = self._aloud.end()
        text = ("".join(self._said) + last).strip()
        if not text:
            raise ProviderError(f"{self.model} gave an answer without words", charged=True)
        self.message = self._keep(text, self._metadata(whole))
        return last

    def _metadata(self, whole: Completion) -> dict[str, Json]:
        told: dict[str, Json] = {
            "generated": "reply", "answers": self.question.id, "receipt": self.context.receipt.id
        }  # fmt: skip
        return told | {"cut": True} if whole.cut else told

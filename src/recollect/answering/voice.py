"""Who answers in a conversation, and what that costs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from recollect.answering.completing import CompletedSpeech
from recollect.answering.veil import veiled
from recollect.context.context import Context
from recollect.context.veil import Mask
from recollect.distill.parse import keepable
from recollect.distill.purse import Purse
from recollect.models import Cost
from recollect.ports import Completion, LanguageModel, Speaker, Speech, Tokenizer

OPERATION = "reply"
OVERHEAD = 32  # tokens that a service may put around a request beyond those that a context counts


@dataclass(frozen=True, slots=True)
class Voice:
    """A language model that answers in a conversation. `mask` is applied to all that is sent."""

    model: LanguageModel
    purse: Purse
    tokenizer: Tokenizer
    mask: Mask

    @property
    def name(self) -> str:
        return self.model.name

    def begin(self, context: Context, most: int) -> tuple[Speech, Bill]:
        """Asks for an answer of at most `most` tokens; CapReached, and nobody asked, where the day has no such room."""
        sent = veiled(context, self.mask)
        reserved = self.purse.reserve(context.receipt.space, self.name, OPERATION, (context.tokens + OVERHEAD, most))
        bill = Bill(self.purse, self.tokenizer, reserved)
        if isinstance(self.model, Speaker):
            return self.model.speak(sent, most), bill
        return CompletedSpeech(self.model, sent, most), bill


class Bill:
    """What an answer takes: the most that was set aside, until it is settled."""

    def __init__(self, purse: Purse, tokenizer: Tokenizer, reserved: Cost) -> None:
        self._purse = purse
        self._tokenizer = tokenizer
        self._reserved = reserved
        self._begun = time.perf_counter()
        self.cost: Cost | None = None

    def whole(self, said: Completion) -> None:
        """The service's own numbers; ours where it gives none."""
        prompt = self._reserved.prompt_tokens if said.prompt_tokens is None else said.prompt_tokens
        answer = (
            self._tokenizer.count(keepable(said.text)) if said.completion_tokens is None else said.completion_tokens
        )
        self._settle((prompt, answer), None)

    def broken(self, text: str, error: str, *, charged: bool = True) -> None:
        """What came is counted; where nothing came that may have been paid for, all that was set aside."""
        prompt, most = self._reserved.prompt_tokens, self._reserved.completion_tokens
        taken = (prompt, self._tokenizer.count(text) if text else most) if charged else (0, 0)
        self._settle(taken, error)

    def _settle(self, tokens: tuple[int, int], error: str | None) -> None:
        spent = (time.perf_counter() - self._begun) * 1000
        self.cost = self._purse.settle(self._reserved, tokens, spent, error)

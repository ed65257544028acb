"""Requests a reply from a model, masks what is sent, and records its cost.

A model without streaming is adapted to the streaming interface."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from aforesaid.context.context import Context
from aforesaid.context.turn import ChatTurn
from aforesaid.distill.llm.llm_call import storable
from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.models.cost import Cost
from aforesaid.ports import Completion, LanguageModel, ModelStream, Prompt, StreamingModel, Tokenizer
from aforesaid.text.masking import JsonMask


class NonStreamingAdapter:
    """Calls the model for the first piece, and returns the answer as one piece. Does not cancel a running call."""

    def __init__(self, model: LanguageModel, context: Context, max_tokens: int) -> None:
        self._model = model
        self._prompt = Prompt(context.system, _as_text(context), max_tokens)
        self._closed = False
        self._completion: Completion | None = None

    def __iter__(self) -> NonStreamingAdapter:
        return self

    def __next__(self) -> str:
        if self._closed or self._completion is not None:
            raise StopIteration
        completion = self._model.complete(self._prompt)
        if self._closed:
            raise StopIteration
        self._completion = completion
        return completion.text

    @property
    def completion(self) -> Completion | None:
        return self._completion

    def close(self) -> None:
        self._closed = True


def _as_text(context: Context) -> str:
    """The turns, without the system text, as one text that the model continues."""
    turns = [turn for turn in context.turns if turn.role != "system" or turn.text != context.system]
    return "\n\n".join(f"{turn.name or turn.role}: {turn.text}" for turn in turns) + "\n\nassistant:"


def mask_context(context: Context, mask: JsonMask) -> Context:
    """The context with masked text. Names and ids stay, so that tool calls still match their results."""

    def mask_turn(turn: ChatTurn) -> ChatTurn:
        calls = tuple(replace(call, arguments=mask(call.arguments)) for call in turn.calls)
        return replace(turn, text=mask(turn.text), parts=tuple(map(mask, turn.parts)), calls=calls)

    return replace(context, turns=tuple(map(mask_turn, context.turns)))


OPERATION = "reply"
OVERHEAD = 32  # tokens that a service adds to those that a context counts


@dataclass(frozen=True, slots=True)
class Responder:
    """A language model that answers in a conversation. `mask` is applied to all sent text."""

    model: LanguageModel
    token_budget: TokenBudget
    tokenizer: Tokenizer
    mask: JsonMask

    @property
    def name(self) -> str:
        return self.model.name

    def begin(self, context: Context, most: int) -> tuple[ModelStream, ReplyCost]:
        """Starts an answer of at most `most` tokens. Raises CapReached, without a call, if fewer are left today."""
        sent = mask_context(context, self.mask)
        tokens = context.tokens + OVERHEAD, most
        reserved = self.token_budget.reserve(context.receipt.space, self.name, OPERATION, tokens)
        cost = ReplyCost(self.token_budget, self.tokenizer, reserved)
        if isinstance(self.model, StreamingModel):
            return self.model.stream(sent, most), cost
        return NonStreamingAdapter(self.model, sent, most), cost


class ReplyCost:
    """The cost of an answer: the reserved maximum, until it is settled."""

    def __init__(self, token_budget: TokenBudget, tokenizer: Tokenizer, reserved: Cost) -> None:
        self._token_budget = token_budget
        self._tokenizer = tokenizer
        self._reserved = reserved
        self._begun = time.perf_counter()
        self.cost: Cost | None = None

    def settle(self, completion: Completion) -> None:
        """Settles a complete answer with the numbers of the service, or our own counts."""
        prompt, answer = completion.prompt_tokens, completion.completion_tokens
        self._settle(
            self._reserved.prompt_tokens if prompt is None else prompt,
            self._tokenizer.count(storable(completion.text)) if answer is None else answer,
            None,
        )

    def settle_interrupted(self, text: str, error: str, *, charged: bool = True) -> None:
        """Settles an interrupted answer with its tokens so far; with the reserved maximum if it has none yet."""
        prompt, most = self._reserved.prompt_tokens, self._reserved.completion_tokens
        tokens = (prompt, self._tokenizer.count(text) if text else most) if charged else (0, 0)
        self._settle(*tokens, error)

    def _settle(self, prompt: int, answer: int, error: str | None) -> None:
        milliseconds = (time.perf_counter() - self._begun) * 1000
        self.cost = self._token_budget.settle(self._reserved, (prompt, answer), milliseconds, error)

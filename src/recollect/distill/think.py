"""Asks a language model, and takes only a valid answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from recollect.distill.parse import Misfit, keepable, parse, sentences, spoken
from recollect.distill.purse import Purse
from recollect.errors import ClosedError, ProviderError, ProviderRefused
from recollect.ports import Completion, LanguageModel, Prompt, Tokenizer

if TYPE_CHECKING:
    from pydantic import BaseModel

Answer = TypeVar("Answer", bound="BaseModel")
T = TypeVar("T")

ASKINGS = 3  # the first, and twice again with what was wrong
MORE_ROOM = 4  # times as many tokens for an answer that was cut: some models think aloud before they speak
OVERHEAD = 32  # tokens that a service puts around the two texts of a prompt
MOST_TOLD = 10**9  # tokens of a call that are believed
NOTED = 300  # characters of an error that the ledger keeps
SHOWN = 2_000  # characters of a wrong answer that the model is shown again

FORM = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n"
AGAIN = (
    "Your answer was:\n{answer}\n\nIt cannot be used:\n{wrong}\n\n"
    "Answer again, with one JSON object that fits the schema."
)


def unmasked(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Thinker:
    """A language model whose words are checked and whose tokens are counted.

    `mask` is applied to all that is sent. ProviderError where the model breaks or cannot answer now (CapReached where
    the day's tokens are spent), ProviderRefused where it gave no valid answer however often it was asked, ClosedError
    where the Memory was closed meanwhile. No error and no ledger entry repeats a word of prompt or answer.
    """

    model: LanguageModel
    purse: Purse
    tokenizer: Tokenizer
    mask: Callable[[str], str] = unmasked

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def local(self) -> bool:
        return self.model.local

    def ask(self, prompt: Prompt, answer: type[Answer], operation: str, space: str) -> Answer:
        """An answer that pydantic takes. Asked again with what was wrong with it, twice at most."""
        schema = answer.model_json_schema()
        form = f"{prompt.system}\n\n{FORM}{json.dumps(schema, ensure_ascii=False)}".strip()
        asked = replace(prompt, system=form, schema=schema)
        return self._insist(asked, lambda said: parse(said.text, answer), operation, space)

    def tell(self, prompt: Prompt, operation: str, space: str) -> str:
        """Plain words, never empty. What the model thought aloud is left out; what was cut ends with a sentence."""
        return self._insist(replace(prompt, schema=None), words, operation, space)

    def _insist(self, prompt: Prompt, read: Callable[[Completion], T], operation: str, space: str) -> T:
        asked, wrong = prompt, ""
        for _ in range(ASKINGS):
            try:
                return self._once(asked, read, operation, space)
            except Unusable as exc:
                asked, wrong = exc.better(prompt), str(exc)
        raise ProviderRefused(f"{self.name} gave no usable answer in {ASKINGS} askings: {wrong}", charged=True)

    def _once(self, prompt: Prompt, read: Callable[[Completion], T], operation: str, space: str) -> T:
        """One call, written down before and after."""
        sent = replace(prompt, system=self.mask(prompt.system), text=self.mask(prompt.text))
        most = self.tokenizer.count(sent.system) + self.tokenizer.count(sent.text) + OVERHEAD, sent.max_tokens
        cost = self.purse.reserve(space, self.name, operation, most)
        begin = time.perf_counter()
        tokens: tuple[int, int] = most
        error: str | None = "interrupted"
        try:
            said = self._said(sent)
            tokens, error = self._taken(said, most[0]), None
            return read(said)
        except Misfit as exc:
            error = f"unusable answer: {exc.kinds}"
            raise Unusable(said, exc) from None
        except (ProviderError, ClosedError) as exc:
            error = str(exc)[:NOTED]
            if isinstance(exc, ProviderError) and not exc.charged:
                tokens = 0, 0
            raise
        finally:
            self.purse.settle(cost, tokens, (time.perf_counter() - begin) * 1000, error)

    def _said(self, prompt: Prompt) -> Completion:
        """The model's answer. Whatever else a model raises or gives is a failure of its own: the error has the name of
        its type, and no word of it."""
        try:
            said: object = self.model.complete(prompt)
        except (ProviderError, ClosedError):
            raise
        except Exception as exc:
            raise ProviderError(f"{self.name} failed: {type(exc).__name__}", charged=True) from exc
        if not isinstance(said, Completion) or not isinstance(said.text, str):
            raise ProviderError(f"{self.name} gave no Completion with a text", charged=True)
        return said

    def _taken(self, said: Completion, prompt_tokens: int) -> tuple[int, int]:
        """The service's own numbers; ours where it gives none."""
        prompt, answer = _number(said.prompt_tokens), _number(said.completion_tokens)
        return (
            prompt_tokens if prompt is None else prompt,
            self.tokenizer.count(keepable(said.text)) if answer is None else answer,
        )


def _number(tokens: object) -> int | None:
    """Tokens as a model tells them, within reason; None where it tells none."""
    return min(max(tokens, 0), MOST_TOLD) if isinstance(tokens, int) else None


class Unusable(Exception):
    """A model said something else than it was asked for."""

    def __init__(self, said: Completion, misfit: Misfit) -> None:
        super().__init__("cut short" if said.cut else misfit.kinds)
        self._said = said
        self._misfit = misfit

    def better(self, first: Prompt) -> Prompt:
        """The question with more room where the answer was cut, else with what was wrong with it."""
        if self._said.cut:
            return replace(first, max_tokens=first.max_tokens * MORE_ROOM)
        if first.schema is None:
            return first
        again = AGAIN.format(answer=spoken(self._said.text)[:SHOWN], wrong=self._misfit.detail)
        return replace(first, text=f"{first.text}\n\n{again}")


def words(said: Completion) -> str:
    text = spoken(said.text)
    whole = sentences(text) if said.cut else text
    if not whole:
        raise Misfit("no words", "")
    return whole

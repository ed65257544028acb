"""Calls a language model and validates its answer. An invalid answer is requested again with the validation errors."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from aforesaid.distill.llm.token_budget import TokenBudget
from aforesaid.distill.truncate import trim_to_sentence
from aforesaid.errors import ClosedError, ProviderError, ProviderRefused, provider_failures
from aforesaid.models.json import Json
from aforesaid.ports import Completion, LanguageModel, Prompt, Tokenizer
from aforesaid.text.masking import no_mask

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

AnswerModel = TypeVar("AnswerModel", bound="BaseModel")
T = TypeVar("T")

ATTEMPTS = 3
MORE_ROOM = 4  # factor of `max_tokens` after an answer that was cut: some models write their reasoning first
OVERHEAD = 32  # tokens that a service adds around the two texts of a prompt
MOST_REPORTED = 10**9  # tokens; a larger reported number is not believed
ERROR_CHARACTERS = 300  # characters of an error in the ledger
SHOWN_CHARACTERS = 2_000  # characters of an invalid answer that the next attempt shows
SHOWN_ERRORS = 8
MOST_BRACES = 32  # opening braces that are tried; bounds the time for a text of braces

REASONING = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
SCHEMA_INSTRUCTION = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n"
RETRY_INSTRUCTION = (
    "Your answer was:\n{answer}\n\nIt cannot be used:\n{errors}\n\n"
    "Answer again, with one JSON object that fits the schema."
)


@dataclass(frozen=True, slots=True)
class LLMClient:
    """A language model whose answers are validated and whose tokens are counted. `mask` is applied to all sent text.

    Raises ProviderError if the model fails, CapReached if the daily tokens are spent, ProviderRefused if no attempt
    gives a valid answer, ClosedError if the Memory is closed meanwhile. No error and no ledger entry repeats text of
    a prompt or an answer.
    """

    model: LanguageModel
    token_budget: TokenBudget
    tokenizer: Tokenizer
    mask: Callable[[str], str] = no_mask

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def local(self) -> bool:
        return self.model.local

    def ask(self, prompt: Prompt, answer: type[AnswerModel], operation: str, space: str) -> AnswerModel:
        """An answer that pydantic accepts. An invalid one is requested again with its errors, at most twice. The schema
        of the prompt, if any, is sent in place of that of `answer`."""
        schema = answer.model_json_schema() if prompt.schema is None else prompt.schema
        system = f"{prompt.system}\n\n{SCHEMA_INSTRUCTION}{json.dumps(schema, ensure_ascii=False)}".strip()
        request = replace(prompt, system=system, schema=schema)
        return self._retry(request, lambda completion: parse_answer(completion.text, answer), operation, space)

    def ask_text(self, prompt: Prompt, operation: str, space: str) -> str:
        """Plain text without reasoning, never empty. A cut answer ends with its last complete sentence."""
        return self._retry(replace(prompt, schema=None), plain_text, operation, space)

    def _retry(self, prompt: Prompt, read: Callable[[Completion], T], operation: str, space: str) -> T:
        request, problem = prompt, ""
        for _ in range(ATTEMPTS):
            try:
                return self._call(request, read, operation, space)
            except InvalidAnswer as exc:
                request, problem = exc.next_prompt(prompt), str(exc)
        raise ProviderRefused(f"{self.name} gave no usable answer in {ATTEMPTS} attempts: {problem}", charged=True)

    def _call(self, prompt: Prompt, read: Callable[[Completion], T], operation: str, space: str) -> T:
        """One call, recorded in the ledger before and after."""
        sent = replace(prompt, system=self.mask(prompt.system), text=self.mask(prompt.text))
        most = self.tokenizer.count(sent.system) + self.tokenizer.count(sent.text) + OVERHEAD, sent.max_tokens
        cost = self.token_budget.reserve(space, self.name, operation, most)
        begin = time.perf_counter()
        tokens: tuple[int, int] = most
        error: str | None = "interrupted"
        try:
            completion = self._complete(sent)
            tokens, error = self._tokens(completion, most[0]), None
            return read(completion)
        except InvalidAnswer as exc:
            error = f"unusable answer: {exc.kinds}"
            exc.completion = completion
            raise
        except (ProviderError, ClosedError) as exc:
            error = str(exc)[:ERROR_CHARACTERS]
            if isinstance(exc, ProviderError) and not exc.charged:
                tokens = 0, 0
            raise
        finally:
            self.token_budget.settle(cost, tokens, (time.perf_counter() - begin) * 1000, error)

    def _complete(self, prompt: Prompt) -> Completion:
        """The model's answer."""
        with provider_failures(self.name, charged=True):
            completion: object = self.model.complete(prompt)
        if not isinstance(completion, Completion) or not isinstance(completion.text, str):
            raise ProviderError(f"{self.name} gave no Completion with a text", charged=True)
        return completion

    def _tokens(self, completion: Completion, prompt_tokens: int) -> tuple[int, int]:
        """The numbers that the service reports, or our own counts."""
        prompt, answer = map(_reported_tokens, (completion.prompt_tokens, completion.completion_tokens))
        return (
            prompt_tokens if prompt is None else prompt,
            self.tokenizer.count(storable(completion.text)) if answer is None else answer,
        )


def _reported_tokens(tokens: object) -> int | None:
    return min(max(tokens, 0), MOST_REPORTED) if isinstance(tokens, int) else None


class InvalidAnswer(Exception):
    """The text is not a valid answer. `kinds` names the errors without text of the answer; `detail` adds field names,
    for the model. `completion` is the answer, once it is known."""

    def __init__(self, kinds: str, detail: str) -> None:
        super().__init__(kinds)
        self.kinds = kinds
        self.detail = detail
        self.completion = Completion("")

    def __str__(self) -> str:
        return "cut short" if self.completion.cut else self.kinds

    def next_prompt(self, first: Prompt) -> Prompt:
        """The prompt of the next attempt: with more room if the answer was cut, else with the validation errors."""
        if self.completion.cut:
            return replace(first, max_tokens=first.max_tokens * MORE_ROOM)
        if first.schema is None:
            return first
        shown = strip_reasoning(self.completion.text)[:SHOWN_CHARACTERS]
        retry = RETRY_INSTRUCTION.format(answer=shown, errors=self.detail)
        return replace(first, text=f"{first.text}\n\n{retry}")


def plain_text(completion: Completion) -> str:
    text = strip_reasoning(completion.text)
    text = trim_to_sentence(text) if completion.cut else text
    if not text:
        raise InvalidAnswer("no words", "")
    return text


def parse_answer(text: str, answer: type[AnswerModel]) -> AnswerModel:
    """The first JSON object of a text that is a valid answer. Raises InvalidAnswer, for the last object, if none is."""
    from pydantic import ValidationError

    invalid = InvalidAnswer("no JSON object", "There is no JSON object in it.")
    for value in json_objects(strip_reasoning(text)):
        try:
            return answer.model_validate_json(json.dumps(storable_json(value)))
        except ValidationError as exc:
            invalid = invalid_answer(exc)
        except RecursionError:
            invalid = InvalidAnswer("nested too deep", "It is nested too deep.")
    raise invalid


def json_objects(text: str) -> Iterator[dict[str, Json]]:
    """The outermost JSON objects of a text, in order."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    for _ in range(MOST_BRACES):
        if place < 0:
            return
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield value
        place = text.find("{", end)


def invalid_answer(error: ValidationError) -> InvalidAnswer:
    """The validation errors without pydantic's own messages about the input, which repeat the answer."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)[:SHOWN_ERRORS]
    kinds = ", ".join(dict.fromkeys(each["type"] for each in errors))
    detail = "\n".join(f"- {'.'.join(map(str, each['loc'])) or 'the whole'}: {each['msg']}" for each in errors)
    return InvalidAnswer(kinds, detail)


def strip_reasoning(text: str) -> str:
    """The text without the reasoning block at its start, and storable."""
    return storable(REASONING.sub("", text)).strip()


def storable(text: str) -> str:
    """Removes NUL characters and replaces lone surrogates."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def storable_json(value: Json) -> Json:
    """The same value with storable text at any depth."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [storable_json(each) for each in value]
    if isinstance(value, dict):
        return {storable_json(name): storable_json(each) for name, each in value.items()}
    return value

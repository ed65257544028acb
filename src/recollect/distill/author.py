"""Who writes a summary: a language model where one is at hand and its words can be taken, else the conversation's own
sentences. Whatever a model does, there is a summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.distill.check import fault
from recollect.distill.cut import cut
from recollect.distill.extractive import MOST_TOKENS, summarise
from recollect.distill.prompts.summary import Since, summary_prompt
from recollect.distill.think import Thinker
from recollect.distill.thinkers import Thinkers
from recollect.distill.topics import LONGEST, MOST, topics
from recollect.errors import CapReached, ProviderError, ProviderRefused
from recollect.models import SummaryMethod
from recollect.ports import Tokenizer
from recollect.records import Utterance

OPERATION = "summary"


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be summed up: all of `heard`, or what `since` says and the `new` part of it. `own` is the model that
    it was said to; `masked` hides secrets from whoever is asked."""

    space: str
    heard: Sequence[Utterance]
    new: Sequence[Utterance]
    since: Since | None
    own: str | None
    masked: bool


@dataclass(frozen=True, slots=True)
class Written:
    """A summary, and who wrote it. `error` says why it was not a model, where one was to."""

    text: str
    topics: tuple[str, ...]
    tokens: int
    method: SummaryMethod
    model: str | None = None
    error: str | None = None


class Author:
    """Never over 200 tokens, never empty. A model that is down, slow or mad is not an error."""

    def __init__(self, thinkers: Thinkers, tokenizer: Tokenizer) -> None:
        self.thinkers = thinkers
        self._count = tokenizer.count

    def write(self, asked: Assignment) -> Written:
        if not asked.new:
            return self._extract(asked, None)
        try:
            thinker = self.thinkers.of(asked.own, masked=asked.masked)
        except ProviderError as exc:
            return self._extract(asked, str(exc))
        if thinker is None:
            return self._extract(asked, None)
        try:
            return self._think(thinker, asked)
        except (CapReached, ProviderRefused) as exc:
            return self._extract(asked, str(exc))
        except ProviderError as exc:
            return self._extract(asked, str(exc), "offline")

    def _think(self, thinker: Thinker, asked: Assignment) -> Written:
        prompt = summary_prompt(asked.new, self._count, asked.since, strict=thinker.local)
        if thinker.local:
            text = thinker.tell(prompt, OPERATION, asked.space)
            wrong = fault(text, asked.heard)
            if wrong is not None:
                return self._extract(asked, f"the answer of {thinker.name} {wrong}")
            subjects = topics(asked.heard)
        else:
            from recollect.distill.prompts.answers import SummaryAnswer

            answer = thinker.ask(prompt, SummaryAnswer, OPERATION, asked.space)
            text, subjects = answer.summary, _tidy(answer.topics) or topics(asked.heard)
        text = cut(text, self._count, MOST_TOKENS)
        if not text:
            return self._extract(asked, f"the answer of {thinker.name} is empty")
        return Written(text, subjects, self._count(text), "model", thinker.name)

    def _extract(self, asked: Assignment, error: str | None, method: SummaryMethod = "extractive") -> Written:
        text = summarise(asked.heard, self._count)
        return Written(text, topics(asked.heard), self._count(text), method, None, error)


def _tidy(words: Sequence[str]) -> tuple[str, ...]:
    """Topics in one line each, without repetition."""
    lines = (" ".join(word.split())[:LONGEST] for word in words)
    return tuple(dict.fromkeys(line for line in lines if line))[:MOST]

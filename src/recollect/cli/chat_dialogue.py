"""A conversation as the chat goes on with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from recollect import RECIPES, Answer, Answerer, Context, Recipe, Space

NOTHING = replace(RECIPES["window"], pins=0, summaries=0, profile_share=0.0)  # the last messages, and nothing else


class Seen(TypedDict):
    """How a context is asked for."""

    recipe: str | Recipe
    max_tokens: int | None
    system: str | None
    overflow: str


class Dialogue:
    """With whom, and what of the memory the model is shown."""

    def __init__(self, space: Space, name: str, model: str | None, seen: Seen) -> None:
        self.space = space
        self.chat = space.conversation(name)
        self.model = model
        self.remembers = True
        self._asked = seen

    @property
    def answerer(self) -> Answerer:
        return self.chat.answerer(self.model)

    def reply(self, text: str) -> Answer:
        return self.chat.reply(text, model=self.model, **self._seen)

    def kept(self, text: str) -> Context:
        """Stores what was said where nobody answers, and gives what a model would see."""
        self.chat.add("user", text)
        return self.chat.context(text, **self._seen)

    def context(self, question: str | None) -> Context:
        return self.chat.context(question, **self._seen)

    @property
    def _seen(self) -> Seen:
        return self._asked if self.remembers else Seen(**self._asked | {"recipe": NOTHING})

"""Remembers the results of a function of texts, so that a text that is used again and again is computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST = 4_000  # characters of a text whose result is remembered
MAX_CHARACTERS = 4_000_000  # of all texts; then it starts again


class TextMemo(Generic[T]):
    """A function of one text that must return the same for the same text. Safe for any number of threads."""

    def __init__(self, function: Callable[[str], T]) -> None:
        self._function = function
        self._results: dict[str, T] = {}
        self._characters = 0

    def __call__(self, text: str) -> T:
        result = self._results.get(text)
        if result is None:
            result = self._function(text)
            if len(text) <= LONGEST:
                self._put(text, result)
        return result

    def forget(self) -> None:
        """Drops all texts."""
        self._results, self._characters = {}, 0

    def _put(self, text: str, result: T) -> None:
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            self._results, self._characters = {}, len(text)
        self._results[text] = result

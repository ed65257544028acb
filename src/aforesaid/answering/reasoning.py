"""Removes the reasoning block at the start of a streamed answer."""

from __future__ import annotations

import re
from typing import Literal

OPENING_TAGS = ("<think>", "<thinking>")
CLOSING_TAG = re.compile(r"</think(?:ing)?>")
LONGEST_TAG = len("</thinking>")


class ReasoningFilter:
    """Passes the pieces of an answer on, without the reasoning and the white space at its start."""

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["unknown", "reasoning", "reasoned", "answer"] = "unknown"

    def feed(self, piece: str) -> str:
        """Adds a piece and returns the text of the answer that it completes."""
        self._held += piece
        if self._state == "unknown":
            self._detect()
        if self._state == "reasoning":
            self._skip()
        if self._state == "reasoned":
            self._held = self._held.lstrip()
            self._state = "answer" if self._held else "reasoned"
        return self._take() if self._state == "answer" else ""

    def end(self) -> str:
        """The text that was held back because it could be the start of a tag."""
        return "" if self._state == "reasoning" else self._take()

    def _detect(self) -> None:
        self._held = self._held.lstrip()
        tag = next((tag for tag in OPENING_TAGS if self._held.startswith(tag)), None)
        if tag is not None:
            self._held, self._state = self._held.removeprefix(tag), "reasoning"
        elif not any(tag.startswith(self._held) for tag in OPENING_TAGS):
            self._state = "answer"

    def _skip(self) -> None:
        match = CLOSING_TAG.search(self._held)
        if match is None:
            self._held = self._held[-LONGEST_TAG:]
        else:
            self._held, self._state = self._held[match.end() :], "reasoned"

    def _take(self) -> str:
        text, self._held = self._held, ""
        return text

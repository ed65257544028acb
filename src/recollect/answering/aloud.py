"""What a model thinks aloud before it speaks is not part of its answer."""

from __future__ import annotations

import re
from typing import Literal

BEGINNINGS = ("<think>", "<thinking>")
THOUGHT = re.compile(r"</think(?:ing)?>")
LONGEST_END = len("</thinking>")


class Aloud:
    """Lets an answer pass, piece by piece, without the thoughts and the white space that it begins with."""

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["unknown", "thinking", "thought", "speaking"] = "unknown"

    def feed(self, piece: str) -> str:
        """What has come of the answer."""
        self._held += piece
        if self._state == "unknown":
            self._look()
        if self._state == "thinking":
            self._think()
        if self._state == "thought":
            self._held = self._held.lstrip()
            self._state = "speaking" if self._held else "thought"
        return self._take() if self._state == "speaking" else ""

    def end(self) -> str:
        """What was held back, since it could have become a thought."""
        return "" if self._state == "thinking" else self._take()

    def _look(self) -> None:
        self._held = self._held.lstrip()
        thought = next((word for word in BEGINNINGS if self._held.startswith(word)), None)
        if thought is not None:
            self._held, self._state = self._held.removeprefix(thought), "thinking"
        elif not any(word.startswith(self._held) for word in BEGINNINGS):
            self._state = "speaking"

    def _think(self) -> None:
        found = THOUGHT.search(self._held)
        if found is None:
            self._held = self._held[-LONGEST_END:]
        else:
            self._held, self._state = self._held[found.end() :], "thought"

    def _take(self) -> str:
        taken, self._held = self._held, ""
        return taken

"""How much of a text asks, and how much of it says something."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?。！？؟\n]+[.!?。！？؟\n]*")
_ASKS = ("?", "？", "؟")
LOOKED_AT = 2_000  # characters of a message that are enough to tell


def asking(text: str) -> float:
    """The share of a text, by length, that stands in questions."""
    head = text[:LOOKED_AT]
    if not any(mark in head for mark in _ASKS):
        return 0.0
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(head)]
    asked = sum(len(sentence) for sentence in sentences if sentence.endswith(_ASKS))
    return asked / max(1, sum(map(len, sentences)))

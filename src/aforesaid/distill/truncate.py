"""Truncates text to a token limit, at the end of a sentence or a word where possible."""

from __future__ import annotations

from collections.abc import Callable

import regex

from aforesaid.text.normalize import storable_text
from aforesaid.text.sentences import SENTENCE_END

CountTokens = Callable[[str], int]
ELLIPSIS = "…"
LONGEST_TEXT = 100_000  # characters; text beyond is never counted
_ENDS = regex.compile(rf"{SENTENCE_END}|\n")
_WORD = regex.compile(r"\s+")


def truncate(text: str, count: CountTokens, most: int) -> str:
    """The text, or the beginning of it that fits into `most` tokens: up to the end of a sentence in its second half,
    else up to a word, with an ellipsis. Empty if not even one character fits."""
    whole = storable_text(text).strip()
    if len(whole) <= LONGEST_TEXT and count(whole) <= most:
        return whole
    size = _longest(whole[:LONGEST_TEXT], count, most)
    ends = [match.end() for match in _ENDS.finditer(whole, 0, size) if match.end() * 2 >= size]
    if ends and count(sentence := whole[: ends[-1]].rstrip()) <= most:
        return sentence
    words = [match.start() for match in _WORD.finditer(whole, 0, size) if match.start() * 2 >= size]
    for stop in (*reversed(words[-8:]), *range(size, 0, -1)):
        if count(shorter := whole[:stop].rstrip() + ELLIPSIS) <= most:
            return shorter
    return ""


def trim_to_sentence(text: str) -> str:
    """The text up to the end of its last complete sentence; empty if it has none."""
    ends = [match.end() for match in regex.finditer(SENTENCE_END, text)]
    return text[: ends[-1]] if ends else ""


def _longest(text: str, count: CountTokens, most: int) -> int:
    """About how many characters fit into `most` tokens."""
    low, high = 0, min(len(text), most * 16)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= most else (low, middle - 1)
    return low

"""A text's beginning, where the whole is too long."""

from __future__ import annotations

from collections.abc import Callable

import regex

Count = Callable[[str], int]
MARK = "…"
LONGEST = 100_000  # characters; what lies behind is never counted
_ENDS = regex.compile(r"[.!?…][\"'”’»)\]]*+(?=\s|\Z)|[。！？｡．؟۔।॥။።][\"'”’»」』）)\]]*+|\n")
_WORD = regex.compile(r"\s+")
_UNSAFE = regex.compile(r"[\x00\ud800-\udfff]")


def safe(text: str) -> str:
    """The text without what no store can keep: NUL characters and halves of surrogate pairs."""
    found: str = _UNSAFE.sub("\ufffd", text)
    return found


def cut(text: str, count: Count, most: int) -> str:
    """The text, or as much of its beginning as `most` tokens hold: up to a sentence's end if half of it ends with one,
    else up to a word's, with a mark. Empty where not even one character fits."""
    whole = safe(text).strip()
    if len(whole) <= LONGEST and count(whole) <= most:
        return whole
    size = _longest(whole[:LONGEST], count, most)
    ends = [match.end() for match in _ENDS.finditer(whole, 0, size) if match.end() * 2 >= size]
    if ends and count(sentence := whole[: ends[-1]].rstrip()) <= most:
        return sentence
    words = [match.start() for match in _WORD.finditer(whole, 0, size) if match.start() * 2 >= size]
    for stop in (*reversed(words[-8:]), *range(size, 0, -1)):
        if count(shorter := whole[:stop].rstrip() + MARK) <= most:
            return shorter
    return ""


def _longest(text: str, count: Count, most: int) -> int:
    """How many characters `most` tokens hold, about: a beginning is never much more than its part of the whole."""
    low, high = 0, min(len(text), most * 16)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= most else (low, middle - 1)
    return low

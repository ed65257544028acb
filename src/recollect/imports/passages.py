"""A text about somebody, taken apart: each paragraph or point of it can be a fact of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])")
_POINT = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?|__[^_\n]+__:?")


def passages(text: str) -> Iterator[tuple[str, str]]:
    """Each with the words as they stand in the text, and as they can be read alone. Headings are none."""
    for block in _BLOCK.split(text):
        lines = block.strip().split("\n")
        while lines and _HEADING.fullmatch(lines[0].strip()):
            lines = lines[1:]
        words = _POINT.sub("", "\n".join(lines)).strip()
        if any(map(str.isalnum, words)):
            yield words, " ".join(words.split())

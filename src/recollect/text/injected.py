"""What recollect puts into a prompt, and how it is known again when somebody sends it back."""

from __future__ import annotations

import re

TAGS = ("recalled", "pinned", "summaries", "facts", "profile", "episodes")  # each opens and closes a block

_BLOCK = re.compile(rf"<({'|'.join(TAGS)})>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_OURS = re.compile(
    rf"<({'|'.join(TAGS)})>\n[^\n]*: data, never instructions\.[^\n]*\n(?:(?!<\1>).)*?</\1>\s*", re.DOTALL
)
_NOTE = re.compile(r"^.*: data, never instructions\..*$", re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*# [^\n]{1,80}, \d{4}-\d\d-\d\d[ \t]*$", re.MULTILINE)
_SAID = re.compile(r"^[ \t]*(?:[^\s<>()=,#|][^\n<>()=,#|]{0,79}(?<!\s))?>(?: .*)?$", re.MULTILINE)


def injected(text: str) -> list[tuple[int, int]]:
    """The stretches of a text that look like recollect's own blocks, or like lines torn out of one: in order, none
    within another. A block that is not closed goes to the end. Lines quoted by anybody else look the same."""
    found = sorted(match.span() for form in (_BLOCK, _NOTE, _HEADER, _SAID) for match in form.finditer(text))
    kept: list[tuple[int, int]] = []
    for start, stop in found:
        if not kept or start >= kept[-1][1]:
            kept.append((start, stop))
        elif stop > kept[-1][1]:
            kept[-1] = (kept[-1][0], stop)
    return kept


def own_words(text: str) -> str:
    """The text without the blocks that recollect put into it, each known by its tag and its first line. What only looks
    like a line of one stays: it may be somebody's quotation."""
    return _OURS.sub("", text) if "data, never instructions." in text else text

"""Recognizes the blocks that aforesaid inserts into prompts when a client sends them back."""

from __future__ import annotations

import re

TAGS = ("recalled", "pinned", "summaries", "facts", "profile", "episodes", "about")  # each opens and closes a block

_BLOCK = re.compile(rf"<({'|'.join(TAGS)})>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_COMPLETE_BLOCK = re.compile(
    rf"<({'|'.join(TAGS)})>\n[^\n]*: data, never instructions\.[^\n]*\n(?:(?!<\1>).)*?</\1>\s*", re.DOTALL
)
_NOTE = re.compile(r"^.*: data, never instructions\..*$", re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*# [^\n]{1,80}, \d{4}-\d\d-\d\d[ \t]*$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:[^\s<>()=,#|][^\n<>()=,#|]{0,79}(?<!\s))?>(?: .*)?$", re.MULTILINE)


def memory_block_spans(text: str) -> list[tuple[int, int]]:
    """The spans of a text that look like aforesaid's blocks or like single lines of one, in order and without overlap.
    An unclosed block ends with the text. Lines that anybody else quoted look the same."""
    matches = (match.span() for form in (_BLOCK, _NOTE, _HEADER, _QUOTED_LINE) for match in form.finditer(text))
    spans: list[tuple[int, int]] = []
    for start, stop in sorted(matches):
        if not spans or start >= spans[-1][1]:
            spans.append((start, stop))
        elif stop > spans[-1][1]:
            spans[-1] = (spans[-1][0], stop)
    return spans


def strip_memory_blocks(text: str) -> str:
    """The text without aforesaid's blocks, which it recognizes by their tag and first line. A single line that looks
    like part of one stays: it may be somebody's quotation."""
    return _COMPLETE_BLOCK.sub("", text) if "data, never instructions." in text else text

"""The terms that FTS5 has on its leaf pages, those of deleted rows too, which no query shows.

A leaf ends in a list of offsets, one a term. The first term stands there whole, each later one as the length that it
shares with the one before and the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

HEADER = 4  # two numbers of two bytes: where the first row begins, where the list of offsets begins


def terms(page: bytes) -> Iterator[bytes]:
    """Nothing for a page that is no leaf, or is not readable."""
    if len(page) < HEADER:
        return
    end = int.from_bytes(page[2:4], "big")
    if not HEADER <= end < len(page):
        return
    at, place, before = end, 0, b""
    while at < len(page):
        step, at = number(page, at)
        start = place = place + step
        shared = 0
        if before or start != step:
            shared, start = number(page, start)
        length, start = number(page, start)
        before = before[:shared] + page[start : start + length]
        yield before


def number(page: bytes, at: int) -> tuple[int, int]:
    """SQLite's numbers of one to nine bytes: the value, and where the next thing begins."""
    value = 0
    for byte in page[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    last = page[at] if at < len(page) else 0
    return value << 8 | last, at + 1

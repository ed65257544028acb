"""Reads the terms on FTS5's leaf pages, including those of deleted rows, which no query returns.

A leaf ends with a list of offsets, one per term. The first term is stored whole, each later one as the length of the
prefix that it shares with the one before, and the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

HEADER = 4  # two numbers of two bytes: the start of the first row, and of the list of offsets


def leaf_terms(page: bytes) -> Iterator[bytes]:
    """Yields nothing for a page that is no leaf, or cannot be read."""
    if len(page) < HEADER:
        return
    end = int.from_bytes(page[2:4], "big")
    if not HEADER <= end < len(page):
        return
    at, place, before = end, 0, b""
    while at < len(page):
        step, at = read_varint(page, at)
        start = place = place + step
        shared = 0
        if before or start != step:
            shared, start = read_varint(page, start)
        length, start = read_varint(page, start)
        before = before[:shared] + page[start : start + length]
        yield before


def read_varint(page: bytes, at: int) -> tuple[int, int]:
    """Reads one of SQLite's integers of one to nine bytes. Returns the value and the offset after it."""
    value = 0
    for byte in page[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    last = page[at] if at < len(page) else 0
    return value << 8 | last, at + 1

"""Reads JSON value by value, however large the file is: an array's elements, or values one after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from recollect.imports.mend import storable
from recollect.models import Json

PIECE = 1 << 16  # characters read at once
LARGEST = 1 << 27  # characters of one value: a conversation of more is no conversation
TAIL = 32  # characters in which a literal, a number or an escape may be cut off
BLANK = " \t\r\n"


def elements(file: TextIO, piece: int = PIECE) -> Iterator[Json]:
    """The elements of the array in a file, or the values that stand in it one after another, a line each or not.

    No more than one of them is held. ValueError where the file is no JSON, or a value is too large or too deep.
    """
    reader = _Reader(file, piece)
    if reader.peek() == "[":
        yield from _array(reader)
    while reader.peek():
        yield reader.value()


def _array(reader: _Reader) -> Iterator[Json]:
    reader.take("[")
    if reader.peek() != "]":
        yield reader.value()
        while reader.peek() == ",":
            reader.take(",")
            yield reader.value()
    reader.take("]")
    if reader.peek():
        raise ValueError("something follows the end of the array")


class _Reader:
    def __init__(self, file: TextIO, piece: int) -> None:
        self._file = file
        self._piece = piece
        self._decoder = json.JSONDecoder(strict=False)
        self._held = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in BLANK:
                self._at += 1
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more(self._piece):
                return ""

    def take(self, character: str) -> None:
        if self.peek() != character:
            raise ValueError(f"expected {character!r}, found {self.peek() or 'the end'!r}")
        self._at += 1

    def value(self) -> Json:
        self.peek()
        size = self._piece
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError as exc:
                if not self._cut_off(exc) or not self._more(size):
                    raise
            except RecursionError as exc:
                raise ValueError("it is nested too deeply") from exc
            else:
                if not self._may_go_on(end) or not self._more(size):
                    written, self._at = self._held[self._at : end], end
                    return storable(value, written)
            size *= 2  # a value of many megabytes is not parsed again for every piece

    def _cut_off(self, error: json.JSONDecodeError) -> bool:
        """Whether the value may be right, had more of it been read."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._held) - TAIL

    def _may_go_on(self, end: int) -> bool:
        """Whether it is a number that may not be whole yet."""
        return self._held[end - 1] not in '}]"' and end >= len(self._held) - TAIL

    def _more(self, size: int) -> bool:
        room = LARGEST - (len(self._held) - self._at)
        if room <= 0:
            raise ValueError(f"one value has more than {LARGEST} characters")
        read = self._file.read(min(size, room))
        if not read:
            return False
        self._held, self._at = self._held[self._at :] + read, 0
        return True

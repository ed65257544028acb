"""Reads a JSON array record by record, however large the file is and however it is laid out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO, TypeVar

from recollect.errors import InvalidInput
from recollect.models import Json

PIECE = 1 << 16
LONGEST = 1 << 28  # characters of a record: one without an end shall not fill the memory
SPACE = " \t\r\n"

T = TypeVar("T")


def items(path: Path) -> Iterator[dict[str, Json]]:
    """The objects of the array in a file; InvalidInput where the file is missing or is no such array."""
    if not path.is_file():
        raise InvalidInput(
            f"{path} is missing; an export has manifest, conversations, messages, chunks, pins, summaries, "
            "accesses, settings"
        )
    with path.open(encoding="utf-8") as file:
        try:
            yield from _items(file)
        except ValueError as exc:
            raise InvalidInput(f"{path} cannot be read: {exc}") from exc
        except RecursionError as exc:
            raise InvalidInput(f"{path} cannot be read: it is nested too deep") from exc


def parsed(path: Path, parse: Callable[[Mapping[str, Json]], T]) -> Iterator[T]:
    """What the records of a file mean; nothing where the export has no such file. InvalidInput names the file and the
    record that makes no sense."""
    if not path.is_file():
        return
    for number, record in enumerate(items(path), 1):
        with named(path, f"record {number}"):
            value = parse(record)
        yield value


@contextmanager
def named(path: Path, record: str | None = None) -> Iterator[None]:
    """Says of what is refused in which file it stands."""
    try:
        yield
    except InvalidInput as exc:
        where = path.name if record is None else f"{path.name}, {record}"
        raise InvalidInput(f"{where}: {exc}") from exc


def batches(found: Iterable[T], size: int) -> Iterator[list[T]]:
    waiting = iter(found)
    while batch := list(islice(waiting, size)):
        yield batch


def _items(file: TextIO) -> Iterator[dict[str, Json]]:
    reader = _Reader(file)
    reader.expect("[")
    if reader.peek() == "]":
        return
    while True:
        yield reader.record()
        if reader.peek() != ",":
            break
        reader.expect(",")
    reader.expect("]")


class _Reader:
    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = json.JSONDecoder()
        self._held = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in SPACE:
                self._at += 1
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more(PIECE):
                return ""

    def expect(self, character: str) -> None:
        if self.peek() != character:
            raise ValueError(f"expected {character!r}, found {self.peek() or 'the end'!r}")
        self._at += 1

    def record(self) -> dict[str, Json]:
        if self.peek() != "{":
            raise ValueError("expected an object")
        size = PIECE
        while True:
            try:
                value, self._at = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError:
                if len(self._held) - self._at > LONGEST:
                    raise ValueError("a record is too large") from None
                if not self._more(size):
                    raise
                size *= 2  # a record of many megabytes is not parsed again for every piece
            else:
                return dict(value)

    def _more(self, size: int) -> bool:
        piece = self._file.read(size)
        self._held, self._at = self._held[self._at :] + piece, 0
        return bool(piece)

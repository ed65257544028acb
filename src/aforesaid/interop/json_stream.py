"""Reads JSON arrays and JSON Lines value by value, so that a file of any size can be read.

Only one value is held in memory, and its size and depth are limited."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO, TypeVar

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.text.validate import DEEPEST

_BAD = re.compile("[\0\ud800-\udfff]")
_WHITESPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|\0")
PIECE = 1 << 16  # characters read at once
MAX_VALUE_LENGTH = 1 << 27  # characters of one value of another program's export
MAX_RECORD_LENGTH = 1 << 28  # characters of one record of an exported space
MAX_ELEMENTS = 3_000_000  # of one value: an element takes up to a hundred times the memory of its text
CUT_OFF_MARGIN = 32  # characters in which a literal, a number or an escape may be cut off

T = TypeVar("T")
JsonPath = tuple[str | int, ...]  # the keys and positions from the top of a file to a value


class CutOffValue(ValueError):
    """The file ends inside a value."""


def repair(value: Json) -> Json:
    """Replaces NUL characters and unpaired surrogates, which no store can keep."""
    if isinstance(value, str):
        return _BAD.sub("�", value) if _BAD.search(value) else value
    if isinstance(value, list):
        return [repair(inner) for inner in value]
    return {repair(key): repair(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def _check_depth(value: Json) -> None:
    level = [value]
    for _ in range(DEEPEST):
        within = (outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [inner for each in within for inner in each if isinstance(inner, dict | list)]
        if not level:
            return
    raise ValueError(f"it is nested more than {DEEPEST} levels deep")


def _check_elements(text: str) -> None:
    """Raises ValueError if the text has too many elements. Counts in the whole text first, strings included, because
    that is much faster."""
    if _count_elements(text) > MAX_ELEMENTS and _count_elements(_STRING.sub("", text)) > MAX_ELEMENTS:
        raise ValueError(f"one value has more than {MAX_ELEMENTS} elements")


def _count_elements(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


class JsonReader:
    """Reads values from a text file. Raises ValueError for a value that is not JSON, or longer than `limit`."""

    def __init__(self, file: TextIO, limit: int, *, piece: int = PIECE, strict: bool = True) -> None:
        self._file = file
        self._limit = limit
        self._piece = piece
        self._decoder = json.JSONDecoder(strict=strict)
        self._held = ""
        self._at = 0

    def array(self) -> Iterator[tuple[Json, str]]:
        """The elements of an array that fills the file, each with its source text."""
        self._take("[")
        if self.peek() != "]":
            yield self.value()
            while self.peek() == ",":
                self._take(",")
                yield self.value()
        self._take("]")
        if self.peek():
            raise ValueError("there is text after the end of the array")

    def values(self) -> Iterator[tuple[Json, str]]:
        """The elements of an array, or else the values of the file one after another."""
        if self.peek() == "[":
            yield from self.array()
        while self.peek():
            yield self.value()

    def peek(self) -> str:
        """The next character that is not white space; empty at the end of the file."""
        while True:
            self._at = _WHITESPACE.match(self._held, self._at).end()  # type: ignore[union-attr]  # always matches
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more(self._piece):
                return ""

    def value(self) -> tuple[Json, str]:
        """The next value and its source text."""
        self.peek()
        size = self._piece
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError as exc:
                if not self._is_cut_off(exc):
                    raise
                if not self._more(size):
                    raise CutOffValue(str(exc)) from exc
            except RecursionError as exc:
                raise ValueError("it is nested too deeply") from exc
            else:
                if not self._may_continue(end) or not self._more(size):
                    source, self._at = self._held[self._at : end], end
                    return value, source
            size *= 2  # so that a value of many megabytes is not parsed again for every piece

    def walk(self, opens: Callable[[JsonPath], bool], path: JsonPath = ()) -> Iterator[tuple[JsonPath, Json, str]]:
        """The values inside the next value, each with its path and source text. Only the objects and arrays at paths
        that `opens` accepts are entered; others are one value."""
        first = self.peek()
        if first not in ("{", "[") or not opens(path):
            yield path, *self.value()
            return
        self._take(first)
        last = "}" if first == "{" else "]"
        place = 0
        while self.peek() != last:
            if place:
                self._take(",")
            yield from self.walk(opens, (*path, self._key() if first == "{" else place))
            place += 1
        self._take(last)

    def _key(self) -> str:
        key, _ = self.value()
        if not isinstance(key, str):
            raise ValueError(f"expected a text as the key, found {key!r}")
        self._take(":")
        return key

    def _take(self, character: str) -> None:
        if self.peek() != character:
            raise ValueError(f"expected {character!r}, found {self.peek() or 'the end'!r}")
        self._at += 1

    def _is_cut_off(self, error: json.JSONDecodeError) -> bool:
        """Returns True if the value may be valid once more of it is read."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._held) - CUT_OFF_MARGIN

    def _may_continue(self, end: int) -> bool:
        """Returns True for a number or literal that may be incomplete."""
        return self._held[end - 1] not in '}]"' and end >= len(self._held) - CUT_OFF_MARGIN

    def _more(self, size: int) -> bool:
        room = self._limit - (len(self._held) - self._at)
        if room <= 0:
            raise ValueError(f"one value has more than {self._limit} characters")
        text = self._file.read(min(size, room))
        if not text:
            return False
        self._held, self._at = self._held[self._at :] + text, 0
        if len(self._held) > MAX_ELEMENTS:
            _check_elements(self._held)
        return True


def elements(file: TextIO, piece: int = PIECE) -> Iterator[Json]:
    """The elements of the array in a file, or its values one after another, with or without line ends.

    Bad characters are repaired. Raises ValueError if the file is not JSON, or a value is too large or too deep.
    """
    for value, source in JsonReader(file, MAX_VALUE_LENGTH, piece=piece, strict=False).values():
        yield _repaired(value, source)


def inner_values(
    file: TextIO, opens: Callable[[JsonPath], bool], piece: int = PIECE
) -> Iterator[Iterator[tuple[JsonPath, Json]]]:
    """For each value of a file, the values inside it with their paths, as `JsonReader.walk` gives them."""
    reader = JsonReader(file, MAX_VALUE_LENGTH, piece=piece, strict=False)
    while reader.peek():
        yield ((tuple(map(repair, path)), _repaired(value, source)) for path, value, source in reader.walk(opens))


def _repaired(value: Json, source: str) -> Json:
    if source.count("{") + source.count("[") > DEEPEST:
        _check_depth(value)
    return repair(value) if _SUSPECT.search(source) else value


def read_records_of(path: Path) -> Iterator[dict[str, Json]]:
    """The objects of the array in a file. Raises InvalidInput if the file is missing or is not such an array."""
    if not path.is_file():
        raise InvalidInput(
            f"{path} is missing; an export has manifest, conversations, messages, chunks, pins, summaries, "
            "accesses, settings"
        )
    with path.open(encoding="utf-8") as file:
        try:
            for value, _ in JsonReader(file, MAX_RECORD_LENGTH).array():
                if not isinstance(value, dict):
                    raise ValueError("expected an object")
                yield value
        except ValueError as exc:
            raise InvalidInput(f"{path} cannot be read: {exc}") from exc


def parse_records(path: Path, parse: Callable[[Mapping[str, Json]], T]) -> Iterator[T]:
    """The parsed records of a file; nothing if the file does not exist. InvalidInput names the file and the record."""
    if not path.is_file():
        return
    for number, record in enumerate(read_records_of(path), 1):
        with errors_named(path, f"record {number}"):
            value = parse(record)
        yield value


def import_batches(
    path: Path, parse: Callable[[Mapping[str, Json]], T], store: Callable[[list[T]], object], size: int | None
) -> None:
    """Parses the records of a file and stores them in batches; all together if `size` is None. InvalidInput names the
    file."""
    for batch in batches(parse_records(path, parse), size):
        with errors_named(path):
            store(batch)


@contextmanager
def errors_named(path: Path, record: str | None = None) -> Iterator[None]:
    """Adds the name of the file, and of the record, to the message of an InvalidInput."""
    try:
        yield
    except InvalidInput as exc:
        where = path.name if record is None else f"{path.name}, {record}"
        raise InvalidInput(f"{where}: {exc}") from exc


def batches(values: Iterable[T], size: int | None) -> Iterator[list[T]]:
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch

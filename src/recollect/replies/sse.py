"""Server-sent events, out of bytes that come in any pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(rb"\r\n|\r|\n")
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name (empty where none was said) and its data, the lines joined."""

    name: str
    data: str


class Events:
    """Gives each event as soon as its last byte is there. The same bytes give the same events, however they are cut
    into pieces; what is no UTF-8 becomes U+FFFD. Comments, ids and retries are left out."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._after_return = False  # a line feed that follows belongs to it
        self._begun = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[Event]:
        if self._after_return:
            self._after_return = not piece
            piece = piece.removeprefix(b"\n")
        if piece:
            self._after_return = piece.endswith(b"\r")
        first, *more = _END.split(piece)
        self._rest += first
        found: list[Event] = []
        for following in more:
            found += self._line(bytes(self._rest))
            self._rest = bytearray(following)
        return found

    def end(self) -> list[Event]:
        """What stands at the end without the blank line that should follow it."""
        return self.feed(b"\n\n")

    def _line(self, line: bytes) -> list[Event]:
        if not self._begun:
            self._begun, line = True, line.removeprefix(BOM)
        if not line:
            return self._dispatched()
        field, _, value = line.decode("utf-8", "replace").partition(":")
        if field == "event":
            self._name = value.removeprefix(" ")
        elif field == "data":
            self._data.append(value.removeprefix(" "))
        return []

    def _dispatched(self) -> list[Event]:
        name, data = self._name, self._data
        self._name, self._data = "", []
        return [Event(name, "\n".join(data))] if data else []

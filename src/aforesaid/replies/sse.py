"""Parses server-sent events from bytes in chunks of any size."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(rb"\r\n|\r|\n")
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One event: its name, which may be empty, and its data with joined lines."""

    name: str
    data: str


class SSEParser:
    """Returns each event as soon as its last byte arrives. The same bytes give the same events, however they are split.
    Invalid UTF-8 becomes U+FFFD. Comments, ids and retry fields are ignored."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._after_return = False  # the next line feed belongs to it
        self._begun = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        if self._after_return:
            self._after_return = not piece
            piece = piece.removeprefix(b"\n")
        if piece:
            self._after_return = piece.endswith(b"\r")
        first, *more = _END.split(piece)
        self._rest += first
        events: list[ServerSentEvent] = []
        for following in more:
            events += self._line(bytes(self._rest))
            self._rest = bytearray(following)
        return events

    def end(self) -> list[ServerSentEvent]:
        """The last event, if the blank line after it is missing."""
        return self.feed(b"\n\n")

    def _line(self, line: bytes) -> list[ServerSentEvent]:
        if not self._begun:
            self._begun, line = True, line.removeprefix(BOM)
        if not line:
            return self._dispatch()
        field, _, value = line.decode("utf-8", "replace").partition(":")
        if field == "event":
            self._name = value.removeprefix(" ")
        elif field == "data":
            self._data.append(value.removeprefix(" "))
        return []

    def _dispatch(self) -> list[ServerSentEvent]:
        name, data = self._name, self._data
        self._name, self._data = "", []
        return [ServerSentEvent(name, "\n".join(data))] if data else []

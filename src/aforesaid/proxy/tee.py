"""Reads a response while it passes to the client unchanged."""

from __future__ import annotations

from collections.abc import Mapping

from aforesaid.proxy.decompress import Decompressor, UnreadableContent
from aforesaid.replies.json_path import parse_json
from aforesaid.replies.parser import ApiFormat, ReplyParser, parse_body
from aforesaid.replies.reply import ModelReply

EVENT_STREAM, JSON_LINES = "text/event-stream", "application/x-ndjson"


class ResponseTee:
    """One response. `whole`: it is not a stream, and is held until its end. `lost` is the reason why it cannot be read.
    Once the reply is `stored`, the rest is not read."""

    def __init__(self, wire: ApiFormat, headers: Mapping[str, str]) -> None:
        self._wire = wire
        self._parser: ReplyParser | None = None
        self._pieces: list[bytes] = []
        self.whole = self.stored = False
        self.lost: str | None = None
        try:
            self._decompressor = Decompressor(headers.get("content-encoding", ""))
        except UnreadableContent as reason:
            self.lost = str(reason)
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in (EVENT_STREAM, JSON_LINES):
            self._parser = ReplyParser(wire)
        elif kind.endswith("json"):
            self.whole = True
        else:
            self.lost = "content_type"

    @property
    def rest(self) -> bytes:
        return b"".join(self._pieces)

    @property
    def over(self) -> bool:
        """True if the last event of a stream has arrived."""
        return self._parser is not None and self._parser.over

    def feed(self, piece: bytes) -> None:
        if self.whole:
            self._pieces.append(piece)
        elif self._parser and not self.stored:
            self._parser.feed(self._plain(piece))

    def end(self) -> ModelReply:
        reply = ModelReply()
        if self._parser:
            reply = self._parser.end()
        elif self.whole:
            reply = parse_body(self._wire, parse_json(self._plain(self.rest).decode("utf-8", "replace")))
        return ModelReply() if self.lost else reply

    def _plain(self, piece: bytes) -> bytes:
        if self.lost:
            return b""
        try:
            return self._decompressor.feed(piece)
        except UnreadableContent as reason:
            self.lost = str(reason)
            return b""

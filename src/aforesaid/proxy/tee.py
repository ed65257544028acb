"""Reads a response while it passes to the client unchanged, and decompresses it if necessary."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from aforesaid.replies.json_path import parse_json
from aforesaid.replies.parser import ApiFormat, ReplyParser, parse_body
from aforesaid.replies.reply import ModelReply

MAX_READ_BYTES = 64 * 2**20
UNCOMPRESSED = ("", "identity")
GZIP, ZLIB, RAW_DEFLATE = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
GZIP_MAGIC = b"\x1f\x8b"
COMPRESSED: Mapping[str, int] = {"gzip": GZIP, "x-gzip": GZIP, "deflate": ZLIB}


class UnreadableResponse(Exception):
    """The response cannot be read. The text is the reason in one word."""


class Decompressor:
    """Decompresses a response piece by piece, up to `most` bytes. Raises UnreadableResponse if it cannot."""

    def __init__(self, encoding: str, most: int) -> None:
        if encoding not in UNCOMPRESSED and encoding not in COMPRESSED:
            raise UnreadableResponse("encoding")
        self._format = COMPRESSED.get(encoding)
        self._left = most
        self._stream = None if self._format is None else zlib.decompressobj(self._format)
        self._unread = b""  # what arrived before the first output
        self._next = b""  # the first bytes after the end of a stream

    def feed(self, piece: bytes) -> bytes:
        plain = piece if self._stream is None else self._decompress(piece)
        self._left -= len(plain)
        if self._left < 0:
            raise UnreadableResponse("too_large")
        return plain

    def _decompress(self, piece: bytes) -> bytes:
        self._unread += piece
        try:
            plain = self._inflate(piece)
        except zlib.error:
            if self._format != ZLIB:
                raise UnreadableResponse("encoding") from None
            plain = self._inflate_raw()
        if plain:
            self._unread, self._format = b"", None
        return plain

    def _inflate(self, piece: bytes) -> bytes:
        """Reads one gzip member after another. Ignores other data after the end of a stream."""
        assert self._stream is not None
        plain, piece, self._next = b"", self._next + piece, b""
        while piece and len(plain) <= self._left:
            if self._stream.eof:
                if not piece.startswith(GZIP_MAGIC):
                    self._next = piece[: len(GZIP_MAGIC)]
                    break
                self._stream = zlib.decompressobj(GZIP)
            plain += self._stream.decompress(piece, self._left + 1 - len(plain))
            piece = self._stream.unused_data
        return plain

    def _inflate_raw(self) -> bytes:
        """Some servers send `deflate` without the zlib header."""
        self._stream, self._format = zlib.decompressobj(RAW_DEFLATE), None
        try:
            return self._inflate(self._unread)
        except zlib.error:
            raise UnreadableResponse("encoding") from None


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
            self._decompressor = Decompressor(headers.get("content-encoding", "").strip().lower(), MAX_READ_BYTES)
        except UnreadableResponse as reason:
            self.lost = str(reason)
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
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
        except UnreadableResponse as reason:
            self.lost = str(reason)
            return b""

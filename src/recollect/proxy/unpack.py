"""Answers that come packed, though they were asked for plain: what passes is unpacked to be listened to."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

PLAIN = ("", "identity")
GZIP, ZLIB, BARE = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
MAGIC = b"\x1f\x8b"  # how gzip begins
PACKED: Mapping[str, int] = {"gzip": GZIP, "x-gzip": GZIP, "deflate": ZLIB}


class Unheard(Exception):
    """What passes cannot be listened to; its text is the reason, in one word."""


class Unpacking:
    """Gives the plain bytes of an answer that comes in pieces, `most` of them. Unheard where it cannot."""

    def __init__(self, encoding: str, most: int) -> None:
        if encoding not in PLAIN and encoding not in PACKED:
            raise Unheard("encoding")
        self._form = PACKED.get(encoding)
        self._left = most
        self._inside = None if self._form is None else zlib.decompressobj(self._form)
        self._before = b""  # what came before anything was given
        self._after = b""  # how what follows an end begins

    def feed(self, piece: bytes) -> bytes:
        plain = piece if self._inside is None else self._unpacked(piece)
        self._left -= len(plain)
        if self._left < 0:
            raise Unheard("too_large")
        return plain

    def _unpacked(self, piece: bytes) -> bytes:
        self._before += piece
        try:
            plain = self._plain(piece)
        except zlib.error:
            if self._form != ZLIB:
                raise Unheard("encoding") from None
            plain = self._without_frame()
        if plain:
            self._before, self._form = b"", None
        return plain

    def _plain(self, piece: bytes) -> bytes:
        """One packed stream after another: each may have its own end. What follows and is none is left out."""
        assert self._inside is not None
        plain, piece, self._after = b"", self._after + piece, b""
        while piece and len(plain) <= self._left:
            if self._inside.eof:
                if not piece.startswith(MAGIC):
                    self._after = piece[: len(MAGIC)]
                    break
                self._inside = zlib.decompressobj(GZIP)
            plain += self._inside.decompress(piece, self._left + 1 - len(plain))
            piece = self._inside.unused_data
        return plain

    def _without_frame(self) -> bytes:
        """Some send `deflate` without the frame that belongs around it."""
        self._inside, self._form = zlib.decompressobj(BARE), None
        try:
            return self._plain(self._before)
        except zlib.error:
            raise Unheard("encoding") from None

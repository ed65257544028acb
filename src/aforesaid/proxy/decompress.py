"""Decompresses bodies piece by piece, up to a limit: gzip, deflate, and zstd and br if their packages are installed."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Mapping

MAX_READ_BYTES = 64 * 2**20
UNCOMPRESSED = ("", "identity")
GZIP, ZLIB, RAW_DEFLATE = zlib.MAX_WBITS | 16, zlib.MAX_WBITS, -zlib.MAX_WBITS
GZIP_MAGIC = b"\x1f\x8b"
ZSTD_WINDOW_LOG = 23  # 8 MiB, the most that RFC 9659 allows in HTTP: a frame of a few bytes can ask for gigabytes

DecodePiece = Callable[[bytes, int], bytes]  # decodes a piece; stops after this many bytes


class UnreadableContent(Exception):
    """A body cannot be read. The text is the reason in one word."""


class Decompressor:
    """Decompresses one body, up to `most` bytes. Raises UnreadableContent if it cannot."""

    def __init__(self, encoding: str, most: int = MAX_READ_BYTES) -> None:
        encoding = encoding.strip().lower()
        self._decode = None if encoding in UNCOMPRESSED else find_decoder(encoding)
        self._left = most

    def feed(self, piece: bytes) -> bytes:
        plain = piece if self._decode is None else self._decode(piece, self._left + 1)
        self._left -= len(plain)
        if self._left < 0:
            raise UnreadableContent("too_large")
        return plain


def find_decoder(encoding: str) -> DecodePiece:
    """Returns a new decoder. Raises UnreadableContent if the encoding is unknown or its package is not installed."""
    makers: Mapping[str, Callable[[], DecodePiece | None]] = {
        "gzip": lambda: ZlibDecoder(GZIP),
        "x-gzip": lambda: ZlibDecoder(GZIP),
        "deflate": lambda: ZlibDecoder(ZLIB),
        "zstd": make_zstd_decoder,
        "br": make_brotli_decoder,
    }
    decoder = makers[encoding]() if encoding in makers else None
    if decoder is None:
        raise UnreadableContent("encoding")
    return decoder


class ZlibDecoder:
    """Decodes gzip, and deflate with or without the zlib header, which some servers omit."""

    def __init__(self, bits: int) -> None:
        self._bits: int | None = bits
        self._stream = zlib.decompressobj(bits)
        self._unread = b""  # what arrived before the first output
        self._next = b""  # the first bytes after the end of a stream

    def __call__(self, piece: bytes, most: int) -> bytes:
        if self._bits is not None:
            self._unread += piece
        try:
            plain = self._inflate(piece, most)
        except zlib.error:
            if self._bits != ZLIB:
                raise UnreadableContent("encoding") from None
            plain = self._inflate_raw(most)
        if plain:
            self._unread, self._bits = b"", None
        return plain

    def _inflate(self, piece: bytes, most: int) -> bytes:
        """Reads one gzip member after another. Ignores other data after the end of a stream."""
        plain, piece, self._next = b"", self._next + piece, b""
        while piece and len(plain) < most:
            if self._stream.eof:
                if not piece.startswith(GZIP_MAGIC):
                    self._next = piece[: len(GZIP_MAGIC)]
                    break
                self._stream = zlib.decompressobj(GZIP)
            plain += self._stream.decompress(piece, most - len(plain))
            piece = self._stream.unused_data
        return plain

    def _inflate_raw(self, most: int) -> bytes:
        self._stream, self._bits = zlib.decompressobj(RAW_DEFLATE), None
        try:
            return self._inflate(self._unread, most)
        except zlib.error:
            raise UnreadableContent("encoding") from None


def make_zstd_decoder() -> DecodePiece | None:
    """Returns None if zstd is not installed. Python has it from 3.14 on."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        return None
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG}
    frame = zstd.ZstdDecompressor(options=options)

    def decode(piece: bytes, most: int) -> bytes:
        nonlocal frame
        plain = b""
        while piece and len(plain) < most:
            if frame.eof:
                frame = zstd.ZstdDecompressor(options=options)
            try:
                plain += frame.decompress(piece, most - len(plain))
            except zstd.ZstdError:
                raise UnreadableContent("encoding") from None
            piece = frame.unused_data
        return plain

    return decode


def make_brotli_decoder() -> DecodePiece | None:
    """Returns None if brotli is not installed, or is older than 1.2: it has no limit."""
    try:
        import brotli
    except ImportError:
        return None
    stream = brotli.Decompressor()
    if not hasattr(stream, "can_accept_more_data"):
        return None

    def decode(piece: bytes, most: int) -> bytes:
        try:
            plain: bytes = stream.process(piece, output_buffer_limit=most)
        except brotli.error:
            raise UnreadableContent("encoding") from None
        return plain

    return decode

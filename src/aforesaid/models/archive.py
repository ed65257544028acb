"""Limits for ZIP files of others: how far they may unpack, and how large their directory may be."""

from __future__ import annotations

import os
from typing import IO
from zipfile import BadZipFile

MIN_UNPACK_LIMIT = 1 << 28  # bytes, for any archive
MAX_UNPACK_RATIO = 100  # times the size of a larger archive
MAX_UNPACKED = 1 << 33  # bytes, for any archive


def unpack_limit(size: int) -> int:
    """The bytes that an archive of this size may unpack to."""
    return min(MAX_UNPACKED, max(MIN_UNPACK_LIMIT, size * MAX_UNPACK_RATIO))


class BoundedReader:
    """Limits each read to `most` bytes, so that a ZIP directory of gigabytes is not loaded into memory."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.tell, self.seekable = file.tell, lambda: True
        self._file = file
        self._most = most

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(min(size, self._most + 1) if size >= 0 else self._most + 1)
        if len(data) > self._most:
            raise BadZipFile("its directory is too large")
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        try:
            return self._file.seek(offset, whence)
        except (OSError, ValueError) as exc:  # a damaged directory names a place before the file's first byte
            raise BadZipFile("its directory is damaged") from exc

"""The bytes of a store's files, as they are on the disk.

The database itself is opened through SQLite: closing a plain handle of it would take away all locks that this process
holds on the file, and with them every promise. The log has no locks. The third file, `-shm`, has locks and no words, so
it is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import apsw

LOGS = ("-wal", "-journal")
PIECE = 1 << 22


class Readable(Protocol):
    def read(self, amount: int, offset: int) -> bytes: ...


class _Database:
    def __init__(self, path: str) -> None:
        flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
        self._file = apsw.VFSFile("", path, [flags, 0])

    def read(self, amount: int, offset: int) -> bytes:
        size = int(self._file.xFileSize())
        return self._file.xRead(min(amount, size - offset), offset) if offset < size else b""

    def close(self) -> None:
        self._file.xClose()


class _Log:
    def __init__(self, path: str) -> None:
        self._file = Path(path).open("rb")  # noqa: SIM115 (closed by whoever opened it)

    def read(self, amount: int, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(amount)

    def close(self) -> None:
        self._file.close()


def files(path: str) -> list[str]:
    """Those of the store's files that may have words and are there."""
    return [path, *(path + end for end in LOGS if Path(path + end).exists())]


def places(path: str, needles: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Each of the needles that a file of the store has, and where first."""
    file = _Log(path) if path.endswith(LOGS) else _Database(path)
    try:
        yield from _search(file, set(needles) - {b""})
    finally:
        file.close()


def _search(file: Readable, missing: set[bytes]) -> Iterator[tuple[bytes, int]]:
    overlap = max((len(needle) for needle in missing), default=1) - 1
    offset, held = 0, b""
    while missing and (piece := file.read(PIECE, offset)):
        seen, start = held + piece, offset - len(held)
        for needle in sorted(missing):
            at = seen.find(needle)
            if at >= 0:
                missing.discard(needle)
                yield needle, start + at
        offset += len(piece)
        held = seen[-overlap:] if overlap else b""

"""Searches for a text everywhere in a SQLite store: in every column of every table, in the leaves of the full-text
indexes, and in the bytes of every file.

The database file is opened through SQLite, because closing a plain file handle would release all locks of this
process on the file. The log has no locks. The `-shm` file holds no text and is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import apsw

from aforesaid.models.erasure import TraceLocation, Verification
from aforesaid.storage import queries
from aforesaid.storage.database import identifier
from aforesaid.storage.sqlite import fts_leaves
from aforesaid.storage.sqlite.encryption import PAGE_BYTES
from aforesaid.storage.sqlite.session import SqliteSession
from aforesaid.storage.variants import MAX_PLACES, SearchVariants, Tracer

LOGS = ("-wal", "-journal")
READ_SIZE = 1 << 22  # whole pages
LOG_HEADER, FRAME_HEADER = 32, 24  # of a write-ahead log, and of each of its pages


class ReadableFile(Protocol):
    def read(self, amount: int, offset: int) -> bytes: ...


class ClosableFile(ReadableFile, Protocol):
    def close(self) -> None: ...


class _DatabaseFile:
    def __init__(self, path: str) -> None:
        flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
        self._file = apsw.VFSFile("", path, [flags, 0])

    def read(self, amount: int, offset: int) -> bytes:
        size = int(self._file.xFileSize())
        return self._file.xRead(min(amount, size - offset), offset) if offset < size else b""

    def close(self) -> None:
        self._file.xClose()


class _LogFile:
    def __init__(self, path: str) -> None:
        self._file = Path(path).open("rb")  # noqa: SIM115 (closed by whoever opened it)

    def read(self, amount: int, offset: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(amount)

    def close(self) -> None:
        self._file.close()


class _DecryptedFile:
    """The database file as an encrypted connection reads it, page by page."""

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self._connection = connection
        self._size = Path(path).stat().st_size

    def read(self, amount: int, offset: int) -> bytes:
        rest = max(self._size - offset, 0)
        return self._connection.read("main", 0, offset, min(amount, rest))[1] if rest else b""

    def close(self) -> None:
        """The connection belongs to its lender."""


class _DecryptedLog(_DecryptedFile):
    """The pages of a write-ahead log, without the headers between them."""

    def read(self, amount: int, offset: int) -> bytes:
        pages = []
        for number in range(offset // PAGE_BYTES, (offset + amount) // PAGE_BYTES):
            start = LOG_HEADER + number * (FRAME_HEADER + PAGE_BYTES) + FRAME_HEADER
            if start + PAGE_BYTES > self._size:
                break
            pages.append(self._page(start))
        return b"".join(pages)

    def _page(self, start: int) -> bytes:
        try:
            return self._connection.read("main", 1, start, PAGE_BYTES)[1]
        except (apsw.CorruptError, apsw.IOError):  # a crash cut this page off: nobody can decrypt it
            return bytes(PAGE_BYTES)


def store_files(path: str) -> list[str]:
    """Returns the existing files of the store that may hold text."""
    return [path, *(path + end for end in LOGS if Path(path + end).exists())]


def find_bytes(
    path: str, needles: Iterable[bytes], decrypting: apsw.Connection | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yields each needle that a file of the store contains, with its first offset. `decrypting` is a connection to the
    store, if it is encrypted."""
    file: ClosableFile
    if decrypting is None:
        file = _LogFile(path) if path.endswith(LOGS) else _DatabaseFile(path)
    else:
        file = _DecryptedLog(decrypting, path) if path.endswith(LOGS) else _DecryptedFile(decrypting, path)
    try:
        yield from _search_file(file, set(needles) - {b""})
    finally:
        file.close()


def _search_file(file: ReadableFile, missing: set[bytes]) -> Iterator[tuple[bytes, int]]:
    overlap = max((len(needle) for needle in missing), default=1) - 1
    offset, held = 0, b""
    while missing and (piece := file.read(READ_SIZE, offset)):
        seen, start = held + piece, offset - len(held)
        for needle in sorted(missing):
            at = seen.find(needle)
            if at >= 0:
                missing.discard(needle)
                yield needle, start + at
        offset += len(piece)
        held = seen[-overlap:] if overlap else b""


SQL = queries.named("trace")

DIGITS = b"0123456789"


class SqliteTracer(Tracer):
    """Reports the bytes of an existing row once, as the row."""

    def __init__(
        self, session: SqliteSession, files: Sequence[str], text: str, space: str | None, *, encrypted: bool = False
    ) -> None:
        super().__init__(session, text, space)
        self._connection = session.connection
        self._decrypting = self._connection if encrypted else None
        self._files = files
        self._tables: list[str] = []
        self._present: set[bytes] = set()  # found in rows

    def look(self) -> Verification:
        variants = self._variants(text for (text,) in self._session.fetch(SQL["own"]))
        places = [*self._rows(variants), *self._leaves(variants)]
        for path in self._files:
            places += self._bytes(path, variants)
        size = sum(Path(path).stat().st_size for path in self._files)
        return Verification(
            tuple(places[:MAX_PLACES]), tuple(self._tables), tuple(self._files), size, len(variants.terms)
        )

    def _rows(self, variants: SearchVariants) -> Iterator[TraceLocation]:
        session = self._session
        for (table,) in session.fetch(SQL["tables"]):
            self._tables.append(table)
            shadow = table.startswith(tuple(f"{index}_" for (index,) in session.fetch(SQL["indexes"])))
            columns = [name for (name,) in session.fetch(SQL["columns"], {"table": table})]
            keys = [name for (name,) in session.fetch(SQL["keys"], {"table": table})] or ["rowid"]
            for column in columns:
                for needle in (*variants.text, *variants.words):
                    for owner, *row in self._having(table, column, keys, needle):
                        self._present.add(needle)
                        if self._space_key in (None, owner) or (owner is None and not shadow):
                            key = " ".join(map(str, row))
                            yield TraceLocation(f"{table}.{column}", key, "text" if needle in variants.text else "word")

    def _having(self, table: str, column: str, keys: Sequence[str], needle: bytes) -> list[tuple[object, ...]]:
        names = [name for (name,) in self._session.fetch(SQL["all_columns"], {"table": table})]
        owner = "space_key" if "space_key" in names else "NULL"
        chosen = ", ".join(identifier(key) if key != "rowid" else key for key in keys)
        place = f"instr(CAST({identifier(column)} AS BLOB), ?)"
        sql = f"SELECT {owner}, {chosen} FROM {identifier(table)} WHERE {place} LIMIT {MAX_PLACES}"
        return self._connection.execute(sql, (needle,)).fetchall()

    def _leaves(self, variants: SearchVariants) -> Iterator[TraceLocation]:
        terms = {term.encode() for term in variants.terms}
        for (table,) in self._session.fetch(SQL["indexes"]) if terms else ():
            for key, page in self._connection.execute(f"SELECT id, block FROM {identifier(f'{table}_data')}"):
                if any(term.lstrip(DIGITS) in terms and self._of_space(term) for term in fts_leaves.leaf_terms(page)):
                    yield TraceLocation(f"{table}.terms", f"page {key}", "word")

    def _of_space(self, term: bytes) -> bool:
        """A term starts with FTS5's prefix, its space, and a number if it occurs more than once."""
        number = term[1 : len(term) - len(term.lstrip(DIGITS))].decode()
        return self._space_key is None or number in [f"{self._space_key}{often}" for often in ("", "2", "4")]

    def _bytes(self, path: str, variants: SearchVariants) -> Iterator[TraceLocation]:
        needles = {*variants.text, *variants.stretches, *variants.words} - self._present
        for needle, at in find_bytes(path, needles, self._decrypting):
            yield TraceLocation(Path(path).name, f"offset {at}", "word" if needle in variants.words else "text")

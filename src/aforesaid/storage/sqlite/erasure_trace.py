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
from aforesaid.storage import queries, variants
from aforesaid.storage.repositories import jobs
from aforesaid.storage.sqlite import fts_leaves
from aforesaid.storage.sqlite.session import SqliteSession

LOGS = ("-wal", "-journal")
READ_SIZE = 1 << 22


class ReadableFile(Protocol):
    def read(self, amount: int, offset: int) -> bytes: ...


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


def store_files(path: str) -> list[str]:
    """Returns the existing files of the store that may hold text."""
    return [path, *(path + end for end in LOGS if Path(path + end).exists())]


def find_bytes(path: str, needles: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yields each needle that a file of the store contains, with its first offset."""
    file = _LogFile(path) if path.endswith(LOGS) else _DatabaseFile(path)
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
JOB_KINDS = [kind for kinds in jobs.KINDS.values() for kind in kinds]

DIGITS = b"0123456789"
MAX_PLACES = 1_000  # in a report


class SqliteTracer:
    """One search. Bytes of an existing row are reported once, as the row."""

    def __init__(self, session: SqliteSession, files: Sequence[str], text: str, space: str | None) -> None:
        self._session = session
        self._files = files
        self._text = text
        self._space = space
        self._tables: list[str] = []
        self._living: set[bytes] = set()

    def look(self) -> Verification:
        session = self._session
        self._space_key = None if self._space is None else session.key_of(self._space) or -1
        sought = variants.variants_of(
            self._text,
            lambda term: self._lives(session, term),
            lambda part: self._occurs(session, part),
            variants.words_of([*(text for (text,) in session.fetch(SQL["own"])), *JOB_KINDS]),
        )
        found = list(self._rows(session, sought))
        found += self._leaves(session, sought)
        for path in self._files:
            found += self._bytes(path, sought)
        size = sum(Path(path).stat().st_size for path in self._files)
        return Verification(tuple(found[:MAX_PLACES]), tuple(self._tables), tuple(self._files), size, len(sought.terms))

    def _lives(self, session: SqliteSession, term: str) -> bool:
        keys = [key for (key,) in session.fetch(SQL["spaces"])] if self._space_key is None else [self._space_key]
        return any(session.fetch(SQL["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _occurs(self, session: SqliteSession, part: str) -> bool:
        return bool(session.fetch(SQL["occurs"], {"part": part}))

    def _rows(self, session: SqliteSession, sought: variants.SearchVariants) -> Iterator[TraceLocation]:
        for (table,) in session.fetch(SQL["tables"]):
            self._tables.append(table)
            shadow = table.startswith(tuple(f"{index}_" for (index,) in session.fetch(SQL["indexes"])))
            columns = [name for (name,) in session.fetch(SQL["columns"], {"table": table})]
            keys = [name for (name,) in session.fetch(SQL["keys"], {"table": table})] or ["rowid"]
            for column in columns:
                for needle in (*sought.text, *sought.words):
                    for owner, *row in self._having(session, table, column, keys, needle):
                        self._living.add(needle)
                        if self._space_key in (None, owner) or (owner is None and not shadow):
                            key = " ".join(map(str, row))
                            yield TraceLocation(f"{table}.{column}", key, "text" if needle in sought.text else "word")

    def _having(
        self, session: SqliteSession, table: str, column: str, keys: Sequence[str], needle: bytes
    ) -> list[tuple[object, ...]]:
        owner = "space_key" if _has_column(session, table, "space_key") else "NULL"
        chosen = ", ".join(f'"{key}"' if key != "rowid" else key for key in keys)
        sql = f'SELECT {owner}, {chosen} FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) LIMIT {MAX_PLACES}'
        return session.connection.execute(sql, (needle,)).fetchall()

    def _leaves(self, session: SqliteSession, sought: variants.SearchVariants) -> Iterator[TraceLocation]:
        wanted = {term.encode() for term in sought.terms}
        for (table,) in session.fetch(SQL["indexes"]) if wanted else ():
            for key, page in session.connection.execute(f'SELECT id, block FROM "{table}_data"'):
                if any(term.lstrip(DIGITS) in wanted and self._of_space(term) for term in fts_leaves.leaf_terms(page)):
                    yield TraceLocation(f"{table}.terms", f"page {key}", "word")

    def _of_space(self, term: bytes) -> bool:
        """A term starts with FTS5's prefix, its space, and a number if it occurs more than once."""
        number = term[1 : len(term) - len(term.lstrip(DIGITS))].decode()
        return self._space_key is None or number in [f"{self._space_key}{often}" for often in ("", "2", "4")]

    def _bytes(self, path: str, sought: variants.SearchVariants) -> Iterator[TraceLocation]:
        wanted = {*sought.text, *sought.stretches, *sought.words} - self._living
        for needle, at in find_bytes(path, wanted):
            yield TraceLocation(Path(path).name, f"offset {at}", "word" if needle in sought.words else "text")


def _has_column(session: SqliteSession, table: str, column: str) -> bool:
    return any(name == column for (name,) in session.fetch(SQL["all_columns"], {"table": table}))

"""Notices that other programs removed, moved, replaced or overwrote the files of an open store.

SQLite reads and writes the files that it opened, whatever their names lead to now. And it applies any log that it finds
beside a file, also the log of another one: "How To Corrupt An SQLite Database File", 1.4, 2.4 and 4.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

import apsw

from aforesaid.errors import StoreError, StoreMoved

FORMAT_AT = 18  # the bytes 18 and 19 of a file say how it is written
LOG_FORMAT = b"\x02\x02"  # with a log beside it. A complete backup has 1 and 1
LOG_HEADER = 32  # bytes of a log without commits
NAMES = ("", "-wal", "-shm")  # what follows the path: the store, its log, the index of its log
REPLACED = "the file was removed, moved or replaced"

FileId = tuple[int, int] | None  # device and inode


class OpenFiles:
    """The files that one database has open: the store, its log, and the index of its log."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # opens the log
        self._path = path
        self._known = {name: _identity(path + name) for name in NAMES}
        self._moved = _moved(path, REPLACED) if _has_moved(connection) else None

    def check(self, connection: apsw.Connection) -> None:
        """Raises StoreMoved, from then on always, if a name leads to another file than the open one."""
        if self._moved is None and (wrong := self._wrong(connection)):
            self._moved = _moved(self._path, wrong)
        if self._moved is not None:
            raise self._moved

    def _wrong(self, connection: apsw.Connection) -> str | None:
        changed = [name for name, known in self._known.items() if _identity(self._path + name) != known]
        if "" in changed:
            return REPLACED
        if changed:
            return f"its {' and '.join(changed)} was removed, moved or replaced"
        return None if _read_format(connection) == LOG_FORMAT else "the file was overwritten"

    def close(self, connection: apsw.Connection) -> None:
        """Closes the last connection. If the store has moved, its commits go into the file that was opened, wherever it
        is, and no file is removed: the names can belong to another store."""
        try:
            self.check(connection)
        except StoreMoved:
            with suppress(apsw.Error):  # a reader blocks it, or the disk is full: the log stays beside the other file
                if _read_format(connection) == LOG_FORMAT and _identity(f"{self._path}-wal") in (
                    None,
                    self._known["-wal"],
                ):
                    connection.set_busy_timeout(0)
                    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()


def _moved(path: str, wrong: str) -> StoreMoved:
    return StoreMoved(
        f"{path}: {wrong} while this process had it open. Nothing of this call is stored, and nothing more is read or "
        "written. Close this Memory, put the right file in its place, and open the store again"
    )


def refuse_foreign_log(connection: apsw.Connection) -> None:
    """Raises StoreError if the log beside a file belongs to another file. Call it before anything is read.

    SQLite marks a file before it makes a log for it, and a backup has no such mark.
    """
    log = f"{connection.filename}-wal"
    if (
        connection.filename
        and _has_commits(log)
        and _read_format(connection) not in (LOG_FORMAT, b"\0\0")
        and _has_commits(log)
    ):
        raise StoreError(
            f"{log!r} belongs to another file than the {connection.filename!r} beside it, and would damage it. Stop "
            "every process that uses the store; then move the log away to open this file, or put back the file that "
            "the log belongs to"
        )


def _has_commits(log: str) -> bool:
    try:
        return os.stat(log).st_size > LOG_HEADER
    except OSError:
        return False


def _has_moved(connection: apsw.Connection) -> bool:
    """Asks SQLite, which knows the inode of the open file; on Windows it does not, but there an open file stays."""
    moved = ctypes.c_int(0)
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(moved.value)


def _read_format(connection: apsw.Connection) -> bytes:
    """Reads it through SQLite: to open and close the file here would release the locks of this process."""
    return connection.read("main", 0, FORMAT_AT, len(LOG_FORMAT))[1]


def _identity(path: str) -> FileId:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

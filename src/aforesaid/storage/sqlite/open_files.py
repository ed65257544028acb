"""Notices that other programs removed, moved, replaced or overwrote the files of a store.

SQLite reads and writes the files that it opened, whatever their names lead to now. And it applies any log that it finds
beside a file, also the log of another one. Both are in its list "How To Corrupt An SQLite Database File".

SQLite marks a file before it makes a log for it, and a complete backup has no such mark. So a file without the mark and
the log beside it do not belong together. A file that was copied with its mark cannot be told from the one that a killed
process or a power cut leaves, so it is not refused: refusing the right file would cost the messages in its log.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

import apsw

from aforesaid.errors import StoreError, StoreMoved

MAGIC = b"SQLite format 3\0"  # an encrypted file does not begin with it, and its format cannot be read
FORMAT = slice(18, 20)  # of a file
BACKUP_FORMAT = b"\x01\x01"  # a file with a log has 2 and 2, or after a power cut anything, until the log is applied
LOG_HEADER = 32  # bytes of a log without commits
NAMES = ("", "-wal", "-shm")  # what follows the path: the store, its log, the index of its log
REPLACED = "the file was removed, moved or replaced"

FileId = tuple[int, int] | None  # device and inode


class OpenFiles:
    """The files that one database has open: the store, its log, and the index of its log."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()  # opens the log
        self._address = path
        self._paths = {name: f"{connection.filename}{name}" if name else os.path.abspath(path) for name in NAMES}
        self._known = {name: _identity(self._paths[name]) for name in NAMES}
        self._wrong = REPLACED if _has_moved(connection) else None

    def check(self, connection: apsw.Connection) -> None:
        """Raises StoreMoved, from then on always, if a name leads to another file than the open one."""
        self._wrong = self._wrong or self._find_wrong(connection)
        if self._wrong is not None:
            raise StoreMoved(
                f"{self._address}: {self._wrong} while this process had it open. Nothing of this call is stored, and "
                "nothing more is read or written. Close this Memory, put the right file in its place, and open the "
                "store again"
            )

    def _find_wrong(self, connection: apsw.Connection) -> str | None:
        found = {name: _identity(path) for name, path in self._paths.items()}
        if found == self._known:
            return "the file was overwritten" if _is_backup(connection) else None
        changed = [name for name in NAMES if found[name] != self._known[name]]
        return REPLACED if "" in changed else f"its {' and '.join(changed)} was removed, moved or replaced"

    def close(self, connection: apsw.Connection) -> None:
        """Closes the last connection. If the store has moved, its commits go into the file that was opened, wherever it
        is, and no file is removed: the names can belong to another store."""
        try:
            self.check(connection)
        except (StoreMoved, apsw.Error):
            with suppress(apsw.Error):  # a reader blocks it, or the disk is full: the log stays beside the other file
                own_log = _identity(self._paths["-wal"]) in (None, self._known["-wal"])
                if own_log and not _is_backup(connection):
                    connection.set_busy_timeout(0)
                    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()


def refuse_leftover_log(path: str) -> None:
    """Raises StoreError if there is a log without its file. SQLite would delete it."""
    if _has_commits(f"{path}-wal") and not os.path.exists(path):
        raise StoreError(
            f"{path}-wal is the log of a store that is not there; put its file back, or move the log away to make a "
            "new store"
        )


def refuse_foreign_log(connection: apsw.Connection) -> None:
    """Raises StoreError if the log beside a file belongs to another file. Call it before anything else is read."""
    log = f"{connection.filename}-wal"
    if connection.filename and _has_commits(log) and _is_backup(connection) and _has_commits(log):
        raise StoreError(
            f"{log!r} belongs to another file than the {connection.filename!r} beside it, and would damage it. Stop "
            "every process that uses the store; then move the log away to open this file, or put back the file that "
            "the log belongs to"
        )


def _is_backup(connection: apsw.Connection) -> bool:
    """Reads the file through SQLite: to open and close it here would release the locks of this process."""
    header = connection.read("main", 0, 0, FORMAT.stop)[1]
    return header.startswith(MAGIC) and header[FORMAT] == BACKUP_FORMAT


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


def _identity(path: str) -> FileId:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

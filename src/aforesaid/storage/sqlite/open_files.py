"""Notices that other programs removed, moved, replaced or overwrote the files of a store.

SQLite reads and writes the files that it opened, whatever their names lead to now. And it applies any log that it finds
beside a file, also the log of another one. Both are in its list "How To Corrupt An SQLite Database File".

A file and its log are compared by two marks in the first page. SQLite marks a file before it makes a log for it; a
backup has no such mark. And each log that is begun changes `user_version`: the lower half comes from the random salt of
the log, the upper half is the lower half of the value in the file, without the log. So the log of another file, or a
much older copy of this one, differs.
"""

from __future__ import annotations

import ctypes
import os
import struct
from contextlib import suppress

import apsw

from aforesaid.errors import StoreError, StoreMoved

MAGIC = b"SQLite format 3\0"  # an encrypted file does not begin with it, and its mark cannot be read
HEADER = struct.Struct(">16s2x2s40xI")  # the first bytes of a file: its magic, its format, its user_version
LOG_FORMAT = b"\x02\x02"  # the format of a file that is written through a log. A complete backup has 1 and 1
LOG_HEADER = 32  # bytes of a log without commits
SALT_AT, SALT_BYTES = 16, 8  # in the header of a log
NAMES = ("", "-wal", "-shm")  # what follows the path: the store, its log, the index of its log
REPLACED = "the file was removed, moved or replaced"

FileId = tuple[int, int] | None  # device and inode


class OpenFiles:
    """The files that one database has open: the store, its log, and the index of its log."""

    def __init__(self, path: str, connection: apsw.Connection) -> None:
        self._mark = _marked(connection)  # the first read opens the log
        self._address = path
        self._paths = {name: f"{connection.filename}{name}" if name else os.path.abspath(path) for name in NAMES}
        self._known = {name: _identity(self._paths[name]) for name in NAMES}
        self._wrong = REPLACED if _has_moved(connection) else None
        self._salt: bytes | None = None  # of the log that is known to have changed the mark

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
        changed = [name for name, known in self._known.items() if _identity(self._paths[name]) != known]
        if "" in changed:
            return REPLACED
        if changed:
            return f"its {' and '.join(changed)} was removed, moved or replaced"
        return None if self._is_own_content(connection) else "the file was overwritten"

    def _is_own_content(self, connection: apsw.Connection) -> bool:
        magic, form, mark = _read_header(connection)
        if form != LOG_FORMAT:
            return False
        if magic == MAGIC and not _related(mark, self._mark):
            self._mark = _marked(connection)  # other processes may have begun new logs
            return _related(_read_header(connection)[2], self._mark)
        return True

    def mark(self, connection: apsw.Connection) -> None:
        """Changes the mark if a new log was begun. Call it after a commit, while nobody else uses the connection."""
        with suppress(apsw.Error):  # the next commit tries again
            salt = connection.read("main", 1, SALT_AT, SALT_BYTES)[1]
            if salt == self._salt:
                return
            connection.execute("BEGIN IMMEDIATE")
            own = int.from_bytes(salt) % 0xFFFF + 1
            if _marked(connection) & 0xFFFF != own:
                before = _read_header(connection)[2] & 0xFFFF
                (signed,) = struct.unpack(">i", struct.pack(">HH", before, own))
                connection.pragma("user_version", signed)
            connection.execute("COMMIT")
            self._salt = salt

    def close(self, connection: apsw.Connection) -> None:
        """Closes the last connection. If the store has moved, its commits go into the file that was opened, wherever it
        is, and no file is removed: the names can belong to another store."""
        try:
            self.check(connection)
        except (StoreMoved, apsw.Error):
            with suppress(apsw.Error):  # a reader blocks it, or the disk is full: the log stays beside the other file
                own_log = _identity(self._paths["-wal"]) in (None, self._known["-wal"])
                if own_log and self._is_own_content(connection):
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
    if connection.filename and _has_commits(log) and not _is_own_log(connection) and _has_commits(log):
        raise StoreError(
            f"{log!r} belongs to another file than the {connection.filename!r} beside it, and would damage it. Stop "
            "every process that uses the store; then move the log away to open this file, or put back the file that "
            "the log belongs to"
        )


def _is_own_log(connection: apsw.Connection) -> bool:
    if _read_header(connection)[1] != LOG_FORMAT:
        return False
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # reading through the log writes nothing, closing does
    for _ in range(2):  # a second time, because other processes can begin a new log between the two reads
        marked, (magic, _, mark) = _marked(connection), _read_header(connection)
        if magic != MAGIC or _related(mark, marked):
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            return True
    return False


def _related(first: int, second: int) -> bool:
    """Returns True for two marks that are the same, or of which one follows the other, or that follow the same one: the
    commit of a mark can begin a new log, which gets a mark of its own."""
    return first & 0xFFFF == second >> 16 or second & 0xFFFF == first >> 16 or first >> 16 == second >> 16


def _marked(connection: apsw.Connection) -> int:
    """The mark as of the last commit, in the log or in the file."""
    return int(connection.pragma("user_version")) & 0xFFFFFFFF


def _read_header(connection: apsw.Connection) -> tuple[bytes, bytes, int]:
    """Reads the file without its log. It asks SQLite: to open and close the file here would release the locks of this
    process."""
    magic, form, mark = HEADER.unpack(connection.read("main", 0, 0, HEADER.size)[1])
    return magic, form, mark


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

"""Translates SQLite's errors to aforesaid's errors: what happened, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from aforesaid.errors import StoreBusy, StoreDamaged, StoreError, StoreFull

DAMAGED = "the file is damaged; restore a backup, unless `aforesaid doctor --repair` mends it"
_TABLE: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process has held the write lock for a minute; is one of them hung?"),
    (apsw.ProtocolError, StoreBusy, "other processes were faster to lock the log many times in a row; try again"),
    (apsw.LockedError, StoreBusy, "another connection holds the lock; try again"),
    (apsw.FullError, StoreFull, "the disk is full; nothing of this call was stored, what was stored before is safe"),
    (apsw.NotADBError, StoreDamaged, "this is not a SQLite database; name another file"),
    (apsw.CorruptError, StoreDamaged, DAMAGED),
    (apsw.ReadOnlyError, StoreError, "the file cannot be written; check its permissions and its folder's"),
    (apsw.CantOpenError, StoreError, "the file cannot be opened; check that its folder exists and can be written"),
    (apsw.PermissionsError, StoreError, "access is denied; check the permissions"),
    (apsw.IOError, StoreError, "reading or writing failed; check the disk"),
)


@contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Raises a StoreError in place of SQLite's own errors."""
    try:
        yield
    except apsw.Error as exc:
        for theirs, ours, advice in _TABLE:
            if isinstance(exc, theirs):
                raise ours(f"{path}: {advice} ({exc})") from exc
        if "no such table" in str(exc):
            raise StoreDamaged(f"{path}: an index is missing; run `aforesaid doctor --repair` ({exc})") from exc
        raise StoreError(f"{path}: {exc}") from exc
    except UnicodeDecodeError as exc:
        raise StoreDamaged(f"{path}: a record holds bytes that are no text; run `aforesaid doctor`") from exc

"""Translates PostgreSQL's errors to aforesaid's errors: what happened, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from aforesaid.errors import ClosedError, StoreBusy, StoreDamaged, StoreError, StoreFull

_TABLE: tuple[tuple[type[Exception], type[StoreError], str], ...] = (
    (PoolTimeout, StoreBusy, "no connection was free in time; the server is down, or too many threads wait for one"),
    (errors.LockNotAvailable, StoreBusy, "another transaction has held a lock for a minute; is a process hung?"),
    (errors.QueryCanceled, StoreBusy, "the statement took longer than the server allows; try again"),
    (errors.DeadlockDetected, StoreBusy, "transactions kept waiting for each other; try again"),
    (errors.DiskFull, StoreFull, "the server's disk is full; nothing of this call was stored"),
    (errors.OutOfMemory, StoreFull, "the server is out of memory; nothing of this call was stored"),
    (errors.ProgramLimitExceeded, StoreError, "something is too long for the server; nothing of this call was stored"),
    (errors.DataCorrupted, StoreDamaged, "the database is damaged; restore a backup"),
    (errors.IndexCorrupted, StoreDamaged, "an index is damaged; run `aforesaid doctor --repair`, or REINDEX"),
    (errors.UndefinedTable, StoreDamaged, "a table is missing; run `aforesaid doctor --repair`"),
    (errors.InsufficientPrivilege, StoreError, "the role may not do this; see docs/howto/scale.md for its grants"),
    (errors.ReadOnlySqlTransaction, StoreError, "the server is a standby; name the primary, or target_session_attrs"),
)


def connection_lost(exc: BaseException) -> bool:
    """Returns True if the connection failed, not only the statement."""
    if isinstance(exc, errors.AdminShutdown | errors.CrashShutdown | errors.CannotConnectNow):
        return True
    if isinstance(exc, errors.ReadOnlySqlTransaction):  # the server has become a standby: connect to the new primary
        return True
    if isinstance(exc, psycopg.Error) and exc.diag.severity_nonlocalized == "PANIC":
        return True  # the server stops, and may have committed
    return isinstance(exc, psycopg.OperationalError) and exc.sqlstate is None and not isinstance(exc, PoolTimeout)


@contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Raises a StoreError in place of PostgreSQL's own errors."""
    try:
        yield
    except PoolClosed as exc:
        raise ClosedError("this Memory is closed") from exc
    except (psycopg.Error, PoolTimeout) as exc:
        for theirs, ours, advice in _TABLE:
            if isinstance(exc, theirs):
                raise ours(f"{path}: {advice} ({_message(exc)})") from exc
        if connection_lost(exc):
            raise StoreError(f"{path}: the server cannot be reached ({_message(exc)})") from exc
        raise StoreError(f"{path}: {_message(exc)}") from exc


def _message(exc: BaseException) -> str:
    """The first line of an error; the others may quote a row."""
    return str(exc).strip().split("\n", 1)[0]

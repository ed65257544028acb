"""One SQLite file: connections, and how writes take turns.

Writers of one process share transactions: whoever holds the turn also does the work that has piled up behind it and
commits once. Writers of several processes wait for each other at BEGIN IMMEDIATE.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import apsw

from recollect.errors import ClosedError, InvalidInput, StoreBusy, StoreError
from recollect.models import Verification
from recollect.records import Stamp
from recollect.stores.database import Brief, Row, Scrub, Values
from recollect.stores.queries import Query
from recollect.stores.sqlite import migrate, raw
from recollect.stores.sqlite.failures import translated
from recollect.stores.sqlite.forking import FORKS
from recollect.stores.sqlite.readers import CLOSED, Readers
from recollect.stores.sqlite.session import SqliteSession
from recollect.stores.sqlite.trace import Trace
from recollect.text import accept

T = TypeVar("T")

IN_MEMORY = ":memory:"
BUSY_MILLISECONDS = 60_000  # longer than any transaction of ours; a writer that waits this long has met a hung process
LOG_MILLISECONDS = 5_000  # how long emptying the log waits for readers of other processes
SHARED_COMMIT = 256  # how much piled-up work one commit takes along at most
LOOK_SECONDS = 0.05  # between two looks at what other processes have committed
TURN_SECONDS = 0.01  # between two looks at a lock that SQLite does not wait for
CHECKPOINT_PAGES = 4_000  # 16 MB of log between checkpoints: fewer pauses, and the log stays small
WRITER_CACHE, READER_CACHE = 16_384, 4_096  # kibibytes a connection; every thread that reads at once has one


@dataclass(slots=True)
class _Task(Generic[T]):
    work: Callable[[SqliteSession], T]
    durable: bool
    done: bool = False
    result: T | None = None
    error: Exception | None = None


class Database:
    """A SQLite file, or a database in memory, that any number of threads may use."""

    far = False
    rings = False
    cleans = True
    near: None = None

    def __init__(self, path: str, *, synchronous: str) -> None:
        if synchronous not in ("full", "normal"):
            raise InvalidInput(f"synchronous must be 'full' or 'normal', not {synchronous!r}")
        self.path = path
        self._synchronous = self._level = synchronous
        self._in_memory = path == IN_MEMORY
        self._process = os.getpid()
        self._closed = False
        self._queue: deque[_Task[Any]] = deque()
        self._turn = threading.RLock()
        self._watching = threading.Lock()
        self._commits = 0
        self._moved = threading.Event()
        self._readers = Readers(self._reader)
        self._kept = threading.local()
        with translated(path):
            _refuse_unusable(path)
            self._writer = self._open()
            self._watch = self._writer if self._in_memory else self._reader()
        FORKS.watch(self)

    def write(
        self,
        work: Callable[[SqliteSession], T],
        *spaces: str | None,  # noqa: ARG002 (a file has one writer at a time)
        alone: bool = False,  # noqa: ARG002
        durable: bool = True,
        brief: Brief[T] | None = None,  # noqa: ARG002 (statements cost no journey)
    ) -> T:
        self._usable()
        task = _Task(work, durable)
        self._queue.append(task)
        with self._turn:
            while not task.done:
                self._commit([self._queue.popleft() for _ in range(min(len(self._queue), SHARED_COMMIT))])
        if task.error is not None:
            raise task.error
        return task.result  # type: ignore[return-value]

    def jot(self, work: Callable[[SqliteSession], None], *spaces: str) -> None:
        self.write(work, *spaces, durable=False)

    @contextmanager
    def read(self, space: str | None = None) -> Iterator[SqliteSession]:  # noqa: ARG002
        with self._reading() as connection:
            if self._in_memory or connection is self._still():
                yield SqliteSession(connection)
                return
            connection.execute("BEGIN")
            try:
                yield SqliteSession(connection)
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def still(self, space: str | None = None) -> Iterator[None]:  # noqa: ARG002
        """While it lasts, all that this thread reads is of one moment."""
        if self._still() is not None:
            yield
            return
        stamp = self._stamp()  # before it: what is committed in between is read again once too often, never too seldom
        with self.read() as session:
            self._kept.connection, self._kept.stamp = session.connection, stamp
            try:
                yield
            finally:
                self._kept.connection = None

    def query(
        self,
        query: Query,
        values: Values | None = None,
        space: str | None = None,  # noqa: ARG002
    ) -> list[Row]:
        with self._reading() as connection:
            return SqliteSession(connection).fetch(query, values)

    def stamp(self, space: str) -> Stamp:  # noqa: ARG002 (SQLite tells of the whole file)
        stamp: Stamp = self._stamp() if self._still() is None else self._kept.stamp
        return stamp

    def _stamp(self) -> Stamp:
        self._usable()
        if self._in_memory:
            return self._commits, 0
        with self._watching, translated(self.path):
            self._usable()
            return self._commits, int(self._watch.pragma("data_version"))

    def wait(self, seen: Stamp | None, seconds: float) -> Stamp:
        """The stamp as soon as it differs from `seen`, or after so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            self._moved.clear()
            stamp, rest = self._stamp(), deadline - time.monotonic()
            if stamp != seen or rest <= 0:
                return stamp
            self._moved.wait(min(rest, LOOK_SECONDS))

    def empty_log(self) -> bool:
        """Moves all that was committed into the file and empties the log. False where a reader of another process is
        in the way for longer than a few seconds."""
        self._usable()
        if self._in_memory:
            return True
        with self._turn, translated(self.path):
            self._usable()
            self._writer.set_busy_timeout(LOG_MILLISECONDS)
            try:
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except (apsw.BusyError, apsw.LockedError):
                return False
            finally:
                self._writer.set_busy_timeout(BUSY_MILLISECONDS)
            return True

    @property
    def scrubs(self) -> Sequence[Scrub]:
        """What SQLite deletes it leaves in the file: terms of deleted rows in the full-text index until its parts are
        merged, rows in free pages and in the free room of pages that were split."""
        return ("full-text index", self._merge_indexes), ("file", self._rewrite), ("log", self._log_emptied)

    def verify(self, text: str, space: str | None) -> Verification:
        files = [] if self._in_memory else raw.files(self.path)
        with self.read() as session:
            return Trace(session, files, text, space).look()

    def damages(self) -> list[str]:
        self._readers.renew()  # FTS5 checks what a connection remembers of its index, not what the file has now
        with self._reading() as connection:
            found = connection.execute("PRAGMA integrity_check(10)").fetchall()
        return [str(text) for (text,) in found if text != "ok"]

    def behind(self) -> int:
        with self._reading() as connection:
            return migrate.known()[-1].version - migrate.version(connection)

    def lacks_migrations(self) -> bool:
        """Refuses files of newer versions."""
        with self._reading() as connection:
            return migrate.needed(connection, migrate.known())

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        def work(session: SqliteSession) -> list[str]:
            missing = [name for name in names if not migrate.has_table(session.connection, name)]
            for name in names:
                if name in migrate.FULL_TEXT and not missing:
                    session.connection.execute(f"INSERT INTO {name} ({name}) VALUES ('integrity-check')")
            return missing

        return self.write(work)

    def _merge_indexes(self) -> None:
        def work(session: SqliteSession) -> None:
            with session.leaving_nothing():
                for name in migrate.FULL_TEXT:
                    session.connection.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")

        self.write(work)

    def _log_emptied(self) -> None:
        if not self.empty_log():
            raise StoreBusy(f"{self.path}: another process reads an old moment, so the log cannot be emptied")

    def _rewrite(self) -> None:
        """Writes the whole file anew, so that free pages and free room in pages keep nothing of what was deleted."""
        self._usable()
        with self._turn, translated(self.path):
            self._usable()
            self._writer.execute("VACUUM")
            self._commits += 1

    def close(self) -> None:
        """Lets what is under way end. Does nothing in a child of the process that opened it."""
        if os.getpid() != self._process:
            return
        with self._turn:
            if not self._closed:
                self._closed = True
                self._readers.close()  # first: who reads may look at the stamp
                with self._watching:
                    self._watch.close()
                self._writer.close()
                FORKS.forget(self)

    def hold(self) -> None:
        self._turn.acquire()
        self._readers.hold()  # before the stamp, as when it is closed
        self._watching.acquire()

    def release(self) -> None:
        self._watching.release()
        self._readers.release()
        self._turn.release()

    def abandon(self) -> None:
        self._readers.abandon()
        self._watch.close()
        self._writer.close()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        self._usable()
        still = self._still()
        if self._in_memory:
            with self._turn, translated(self.path):
                self._usable()
                yield self._writer
        elif still is not None:
            with translated(self.path):
                yield still
        else:
            with translated(self.path), self._readers.lend() as connection:
                yield connection

    def _still(self) -> apsw.Connection | None:
        return getattr(self._kept, "connection", None)

    def _usable(self) -> None:
        if os.getpid() != self._process:
            raise ClosedError("this Memory was opened before a fork; open it anew in the child with Memory(path)")
        if self._closed:
            raise ClosedError(CLOSED)

    def _open(self) -> apsw.Connection:
        connection = self._connect(WRITER_CACHE)
        try:
            refuse_foreign(connection)
            _keep_a_log(connection)
            connection.pragma("synchronous", self._synchronous)
            connection.pragma("foreign_keys", True)
            connection.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        except BaseException:
            connection.close()
            raise
        return connection

    def _reader(self) -> apsw.Connection:
        connection = self._connect(READER_CACHE)
        connection.pragma("query_only", True)
        return connection

    def _connect(self, cache: int) -> apsw.Connection:
        connection = apsw.Connection(self.path)
        if connection.readonly("main"):
            connection.close()
            raise StoreError(f"{self.path}: the file cannot be written; check its permissions and its folder's")
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.pragma("cache_size", -cache)
        return connection

    def _commit(self, tasks: Sequence[_Task[Any]]) -> None:
        connection = self._writer
        try:
            with translated(self.path):
                self._usable()
                self._wait_for_disk(any(task.durable for task in tasks))
                connection.execute("BEGIN IMMEDIATE")
                for task in tasks:
                    self._attempt(connection, task, alone=len(tasks) == 1)
                connection.execute("COMMIT")
                self._commits += 1
                self._moved.set()
        except Exception as exc:  # noqa: BLE001 (raised again by each thread that asked for the work)
            _fail(tasks, exc)
        except BaseException:  # meant for this thread alone: those whose work it did are told what happened to it
            _fail(tasks, StoreError(f"{self.path}: the write was interrupted, and may or may not be stored"))
            raise
        finally:
            if not self._closed and connection.in_transaction:
                connection.execute("ROLLBACK")
            for task in tasks:
                task.done = True

    def _wait_for_disk(self, durable: bool) -> None:
        level = self._synchronous if durable else "normal"
        if level != self._level:
            self._writer.pragma("synchronous", level)
            self._level = level

    def _attempt(self, connection: apsw.Connection, task: _Task[Any], *, alone: bool) -> None:
        if alone:
            task.result = task.work(SqliteSession(connection))
            return
        connection.execute("SAVEPOINT task")
        try:
            with translated(self.path):
                task.result = task.work(SqliteSession(connection))
        except Exception as exc:
            if not connection.in_transaction:  # SQLite gave the whole transaction up: nobody's work is kept
                raise
            task.error = exc
            connection.execute("ROLLBACK TO task")
        connection.execute("RELEASE task")


def _fail(tasks: Sequence[_Task[Any]], error: Exception) -> None:
    for task in tasks:
        task.error = task.error or error


def _keep_a_log(connection: apsw.Connection) -> None:
    """Turns to write-ahead logging. SQLite does not wait for a process that is just doing the same, so we do."""
    deadline = time.monotonic() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(TURN_SECONDS)
        else:
            return


def _refuse_unusable(path: str) -> None:
    if path == IN_MEMORY:
        return
    if not path:
        raise InvalidInput("the store needs a file path, ':memory:' or a postgresql:// address")
    place = Path(accept.text(path, "the store's path"))
    try:
        is_folder, has_folder = place.is_dir(), place.parent.is_dir()
    except OSError as exc:
        raise StoreError(
            f"{path}: it cannot be opened; check its name and the permissions of its folder ({exc})"
        ) from exc
    if is_folder:
        raise InvalidInput(f"{path!r} is a directory; name a file in it, such as {str(place / 'memory.db')!r}")
    if not has_folder:
        advice = "`~` is not expanded: name the whole path" if path.startswith("~") else "make it first"
        raise InvalidInput(f"the folder {str(place.parent)!r} does not exist; {advice}")


def refuse_foreign(connection: apsw.Connection) -> None:
    """Before anything is written: is this a file of ours, or an empty one?"""
    used = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    if used and connection.pragma("application_id") != migrate.APPLICATION_ID:
        raise StoreError(f"{connection.filename}: a SQLite database of another program; name another file")

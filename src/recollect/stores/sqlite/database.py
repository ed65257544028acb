"""One SQLite file: connections, and how writes take turns.

Writers of one process share transactions: whoever holds the turn also does the work that has piled up behind it and
commits once. Writers of several processes wait for each other at BEGIN IMMEDIATE.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import apsw

from recollect.errors import ClosedError, InvalidInput
from recollect.stores.sqlite.failures import translated

T = TypeVar("T")
Row = tuple[Any, ...]

IN_MEMORY = ":memory:"
BUSY_MILLISECONDS = 60_000  # longer than any transaction of ours; a writer that waits this long has met a hung process
SHARED_COMMIT = 256  # how much piled-up work one commit takes along at most
CHECKPOINT_PAGES = 4_000  # 16 MB of log between checkpoints: fewer pauses, and the log stays small
CACHE_KIBIBYTES = 16_384


@dataclass(slots=True)
class _Task(Generic[T]):
    work: Callable[[apsw.Connection], T]
    durable: bool
    done: bool = False
    result: T | None = None
    error: BaseException | None = None


def fetch(connection: apsw.Connection, sql: str, values: Mapping[str, Any] | None = None) -> list[Row]:
    """Every row that a statement gives."""
    return connection.execute(sql, values).fetchall()


class Database:
    """A SQLite file, or a database in memory, that any number of threads may use."""

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
        self._idle: list[apsw.Connection] = []
        self._all: list[apsw.Connection] = []
        self._watching = threading.Lock()
        self._commits = 0
        with translated(path):
            _refuse_unusable(path)
            self._writer = self._connect()
            self._watch = self._writer if self._in_memory else self._connect(reader=True)

    def write(self, work: Callable[[apsw.Connection], T], *, durable: bool = True) -> T:
        """Runs `work` in a transaction that is durable when this returns, or leaves no trace when it raises.

        What can be done again from the log need not be durable: a power cut may take it back, whole.
        """
        self._usable()
        task = _Task(work, durable)
        self._queue.append(task)
        with self._turn:
            while not task.done:
                self._commit([self._queue.popleft() for _ in range(min(len(self._queue), SHARED_COMMIT))])
        if task.error is not None:
            raise task.error
        return task.result  # type: ignore[return-value]

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A connection whose statements all see the same moment."""
        self._usable()
        if self._in_memory:
            with self._turn, translated(self.path):
                yield self._writer
            return
        with translated(self.path):
            connection = self._take()
            try:
                connection.execute("BEGIN")
                try:
                    yield connection
                finally:
                    connection.execute("ROLLBACK")
            finally:
                self._idle.append(connection)

    def query(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """Every row that one statement gives, from a moment of its own."""
        self._usable()
        if self._in_memory:
            with self._turn, translated(self.path):
                return fetch(self._writer, sql, values)
        with translated(self.path):
            connection = self._take()
            try:
                return fetch(connection, sql, values)
            finally:
                self._idle.append(connection)

    def stamp(self) -> tuple[int, int]:
        """Differs from an earlier stamp as soon as any connection of any process has committed since."""
        self._usable()
        with self._watching, translated(self.path):
            return self._commits, int(self._watch.pragma("data_version"))

    def close(self) -> None:
        with self._turn:
            self._closed = True
            for connection in self._all:
                connection.close()

    def _usable(self) -> None:
        if self._closed:
            raise ClosedError("this Memory has been closed; open it again with Memory(path)")
        if os.getpid() != self._process:
            raise ClosedError("this Memory was opened by the parent process; open it anew after a fork")

    def _connect(self, *, reader: bool = False) -> apsw.Connection:
        connection = apsw.Connection(self.path)
        self._all.append(connection)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.pragma("cache_size", -CACHE_KIBIBYTES)
        if reader:
            connection.pragma("query_only", True)
            return connection
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", self._synchronous)
        connection.pragma("foreign_keys", True)
        connection.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        return connection

    def _take(self) -> apsw.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect(reader=True)

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
        except BaseException as exc:
            for task in tasks:
                task.error = task.error or exc
            if not isinstance(exc, Exception):
                raise
        finally:
            if connection.in_transaction:
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
            task.result = task.work(connection)
            return
        connection.execute("SAVEPOINT task")
        try:
            with translated(self.path):
                task.result = task.work(connection)
        except Exception as exc:
            if not connection.in_transaction:  # SQLite gave the whole transaction up: nobody's work is kept
                raise
            task.error = exc
            connection.execute("ROLLBACK TO task")
        connection.execute("RELEASE task")


def _refuse_unusable(path: str) -> None:
    if path == IN_MEMORY:
        return
    if not path or "\0" in path:
        raise InvalidInput("the store needs a file path, ':memory:' or a postgresql:// address")
    place = Path(path)
    if place.is_dir():
        raise InvalidInput(f"{path!r} is a directory; name a file in it, such as {str(place / 'memory.db')!r}")
    if not place.parent.is_dir():
        raise InvalidInput(f"the folder {str(place.parent)!r} does not exist; make it first")

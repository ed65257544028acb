"""The pool of reader connections."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import apsw

from aforesaid.errors import ClosedError

CLOSE_TIMEOUT_SECONDS = 30.0  # for readers at work; a longer wait is a deadlock
CLOSED = "this Memory has been closed; open it again with Memory(path)"


class ReaderPool:
    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._changed = threading.Condition(threading.RLock())
        self._idle: list[apsw.Connection] = []
        self._lent = 0
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[apsw.Connection]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._take_back(connection)

    def close(self) -> None:
        """Closes every connection; one that is still lent is closed when it is returned."""
        with self._changed:
            self._closed = True
            self.rest()
            self.abandon()

    def rest(self) -> None:
        """Waits until no connection is lent. While the lock is held, none is lent."""
        self._changed.wait_for(lambda: not self._lent, CLOSE_TIMEOUT_SECONDS)

    def abandon(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def renew(self) -> None:
        """Gives the next reader a new connection."""
        with self._changed:
            self.abandon()

    def hold(self) -> None:
        self._changed.acquire()
        self.rest()

    def release(self) -> None:
        self._changed.release()

    def _take(self) -> apsw.Connection:
        with self._changed:
            if self._closed:
                raise ClosedError(CLOSED)
            connection = self._idle.pop() if self._idle else self._connect()
            self._lent += 1
            return connection

    def _take_back(self, connection: apsw.Connection) -> None:
        with self._changed:
            self._lent -= 1
            if self._closed:
                connection.close()
            else:
                self._idle.append(connection)
            self._changed.notify_all()

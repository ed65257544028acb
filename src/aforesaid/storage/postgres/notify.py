"""LISTEN/NOTIFY: tells other processes that something was committed, and listens for their commits.

A NOTIFY inside a transaction would serialize all commits of the server. So one thread notifies after the commits,
once for all that came together. A process that misses a notification finds the change when it polls.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable

import psycopg
from psycopg import Connection

from aforesaid.storage.database import Row
from aforesaid.storage.outage_log import OutageLog

CHANNEL = "aforesaid"
GATHER_SECONDS = 0.01  # between two notifications
LOOK_SECONDS = 0.2  # until the end is noticed
TROUBLE_SECONDS = 1.0  # before the next attempt after an error
# A lost notification does no harm. The setting ends with the statement: behind a connection pooler, others use this
# session next, and their commits must be durable.
NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"

log = logging.getLogger(__name__)


class PostgresNotifier:
    """`heard` counts the notifications of other processes; `on_notify` is called whenever it rises."""

    def __init__(self, connect: Callable[[], Connection[Row]], on_notify: Callable[[], None]) -> None:
        self._connect = connect
        self._on_notify = on_notify
        self._name = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._outage = OutageLog(log, "notification by the server", "notify_failed")
        self.heard = 0

    def notify(self) -> None:
        self._wanted.set()
        self._start("aforesaid-notify", self._notify)

    def listen(self) -> None:
        """When this returns, no notification is missed."""
        self._start("aforesaid-listen", self._listen)
        self._ready.wait(TROUBLE_SECONDS)

    def stop(self) -> None:
        self._stopping.set()
        self._wanted.set()
        for thread in self._threads.values():
            thread.join()

    def _start(self, name: str, run: Callable[[Connection[Row]], None]) -> None:
        if name in self._threads or self._stopping.is_set():
            return
        with self._lock:
            if name not in self._threads and not self._stopping.is_set():
                self._threads[name] = threading.Thread(target=self._keep, args=(run,), name=name, daemon=True)
                self._threads[name].start()

    def _keep(self, run: Callable[[Connection[Row]], None]) -> None:
        """Connects again whenever the server was down."""
        while not self._stopping.is_set():
            try:
                with self._connect() as connection:
                    self._outage.recovered()
                    run(connection)
            except psycopg.Error as exc:
                self._outage.failed(type(exc).__name__, str(exc).split("\n", 1)[0])
                self._stopping.wait(TROUBLE_SECONDS)

    def _notify(self, connection: Connection[Row]) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            try:
                connection.execute(NOTIFY, (CHANNEL, self._name))
            except psycopg.Error:
                self._wanted.set()  # on the next connection
                raise
            if self._stopping.wait(GATHER_SECONDS):
                return

    def _listen(self, connection: Connection[Row]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._count()  # for commits before this process listened
        self._ready.set()
        while not self._stopping.is_set():
            for notice in connection.notifies(timeout=LOOK_SECONDS, stop_after=1):
                if notice.payload != self._name:
                    self._count()

    def _count(self) -> None:
        self.heard += 1
        self._on_notify()

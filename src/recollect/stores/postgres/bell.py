"""Tells other processes that something was committed, and hears of it from them.

A NOTIFY inside a transaction would make all commits of the server wait for each other. So one thread rings after the
commits, once for all that came together; who has missed a ring finds out by looking, as before.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable

import psycopg
from psycopg import Connection

from recollect.stores.database import Row

CHANNEL = "recollect"
GATHER_SECONDS = 0.01  # between two rings
LOOK_SECONDS = 0.2  # how soon the end is noticed
TROUBLE_SECONDS = 1.0  # before a server that failed is asked again

log = logging.getLogger(__name__)


class Bell:
    """`heard` counts what other processes have committed; `rung` is called whenever it rises."""

    def __init__(self, connect: Callable[[], Connection[Row]], rung: Callable[[], None]) -> None:
        self._connect = connect
        self._rung = rung
        self._name = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self.heard = 0

    def ring(self) -> None:
        self._wanted.set()
        self._start("recollect-ring", self._ringing)

    def listen(self) -> None:
        """From when this returns on, nothing is missed."""
        self._start("recollect-hear", self._hearing)
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
        """Connects anew whenever the server was away."""
        while not self._stopping.is_set():
            try:
                with self._connect() as connection:
                    run(connection)
            except psycopg.Error as exc:
                log.warning("bell failed", extra={"action": "bell_failed", "error": str(exc).split("\n", 1)[0]})
                self._stopping.wait(TROUBLE_SECONDS)

    def _ringing(self, connection: Connection[Row]) -> None:
        connection.execute("SET synchronous_commit = off")  # nothing is lost with a ring
        while self._wanted.wait():
            self._wanted.clear()
            try:
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._name))
            except psycopg.Error:
                self._wanted.set()  # on the next connection
                raise
            if self._stopping.wait(GATHER_SECONDS):
                return

    def _hearing(self, connection: Connection[Row]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._count()  # what was rung while nobody listened
        self._ready.set()
        while not self._stopping.is_set():
            for notice in connection.notifies(timeout=LOOK_SECONDS, stop_after=1):
                if notice.payload != self._name:
                    self._count()

    def _count(self) -> None:
        self.heard += 1
        self._rung()

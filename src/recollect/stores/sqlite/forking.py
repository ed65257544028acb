"""SQLite connections do not survive a fork: a child that kept them would void the locks of those it opens itself, and
messages that it has acknowledged could be lost. So every database rests while the process forks, and the child closes
what it has inherited before it can do anything else.

The list of open databases is the one thing that recollect keeps outside of a Memory: Python's fork hooks are the
process's own.
"""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Resting(Protocol):
    def hold(self) -> None:
        """Returns when nobody uses the database, and keeps it so."""

    def release(self) -> None: ...

    def abandon(self) -> None:
        """Closes every connection of a database that is held."""


class Forks:
    def __init__(self) -> None:
        self._open: weakref.WeakSet[Resting] = weakref.WeakSet()
        self._held: list[Resting] = []
        self._hooked = False

    def watch(self, database: Resting) -> None:
        if not self._hooked:
            self._hooked = True
            os.register_at_fork(before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child)
        self._open.add(database)

    def forget(self, database: Resting) -> None:
        self._open.discard(database)

    def _before(self) -> None:
        self._held = list(self._open)
        for database in self._held:
            database.hold()

    def _in_parent(self) -> None:
        for database in self._held:
            database.release()
        self._held = []

    def _in_child(self) -> None:
        for database in self._held:
            database.abandon()
            database.release()
            self._open.discard(database)
        self._held = []


FORKS = Forks()

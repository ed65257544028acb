"""Erases so that nothing remains in the files: not in the pages, not in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import apsw

from recollect.stores.sqlite.database import Database

T = TypeVar("T")


@contextmanager
def leaving_nothing(connection: apsw.Connection) -> Iterator[None]:
    """Pages that are written meanwhile keep nothing of what was deleted from them or moved away.

    What will be erased one day is written like this too: otherwise a page that was split keeps a copy in its free room.
    """
    before = connection.pragma("secure_delete")
    connection.pragma("secure_delete", True)
    try:
        yield
    finally:
        connection.pragma("secure_delete", before)


def write(database: Database, work: Callable[[apsw.Connection], T]) -> T:
    """A transaction whose pages keep nothing of what it deletes."""

    def scrubbed(connection: apsw.Connection) -> T:
        with leaving_nothing(connection):
            return work(connection)

    return database.write(scrubbed)


def erase(database: Database, work: Callable[[apsw.Connection], T]) -> tuple[T, bool]:
    """What `work` gives, and whether the log is empty too: false while another process reads an old moment."""
    result = write(database, work)
    return result, database.empty_log()

"""Erases so that nothing remains in the files, as far as the engine can: not in the pages, not in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from recollect.stores.database import Database, Session

T = TypeVar("T")


def write(database: Database, work: Callable[[Session], T], *spaces: str, alone: bool = False) -> T:
    """A transaction whose pages keep nothing of what it deletes.

    What will be erased one day is written like this too: otherwise a page that was split keeps a copy in its free room.
    """

    def scrubbed(session: Session) -> T:
        with session.leaving_nothing():
            return work(session)

    return database.write(scrubbed, *spaces, alone=alone)


def erase(database: Database, work: Callable[[Session], T], *spaces: str) -> tuple[T, bool]:
    """What `work` gives, and whether the log is empty too: false while another process reads an old moment."""
    result = write(database, work, *spaces)
    return result, database.empty_log()

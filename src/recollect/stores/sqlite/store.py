"""The embedded store: one SQLite file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from recollect.ids import microseconds
from recollect.models import Backup
from recollect.ports import Clock, Progress
from recollect.stores.nouns import check_notes
from recollect.stores.sqlite import migrate
from recollect.stores.sqlite.backup import backup
from recollect.stores.sqlite.database import Database
from recollect.stores.sqlite.session import SqliteSession
from recollect.stores.store import DatabaseStore


class SqliteStore(DatabaseStore):
    """Opens the file, making or migrating it where needed."""

    def __init__(self, path: str, *, synchronous: str, clock: Clock) -> None:
        database = Database(path, synchronous=synchronous)
        try:
            if database.lacks_migrations():
                database.write(partial(_migrate, at=microseconds(clock())))
        except BaseException:
            database.close()
            raise
        super().__init__(database, clock)
        self._file = database

    def backup(self, destination: Path, force: bool, progress: Progress) -> Backup:
        return backup(self._file, destination, force, progress)


def _migrate(session: SqliteSession, at: int) -> None:
    migrate.apply(session.connection, migrate.known(), at)
    check_notes.index_missing(session)  # a migration cannot make terms

"""The embedded store: one SQLite file."""

from __future__ import annotations

from pathlib import Path

from aforesaid.ids import microseconds
from aforesaid.models.store import Backup
from aforesaid.ports import Clock, Progress
from aforesaid.storage import migrate
from aforesaid.storage.sqlite.database import SqliteDatabase
from aforesaid.storage.sqlite.encryption import StoreKey
from aforesaid.storage.sqlite.online_backup import backup
from aforesaid.storage.sqlite.schema import SqliteSchema
from aforesaid.storage.store import Store


class SqliteStore(Store):
    """Opens the file, and creates or migrates it if needed."""

    def __init__(self, path: str, *, synchronous: str, clock: Clock, key: StoreKey | None = None) -> None:
        database = SqliteDatabase(path, synchronous=synchronous, key=key)
        try:
            if database.needs_migration():
                at, known = microseconds(clock()), migrate.known("sqlite")
                database.write(lambda session: migrate.apply(SqliteSchema(session.connection), known, at))
        except BaseException:
            database.close()
            raise
        super().__init__(database, clock)
        self._file = database

    def backup(self, destination: Path, force: bool, progress: Progress) -> Backup:
        return backup(self._file, destination, force, progress)

"""The embedded store: one SQLite file."""

from __future__ import annotations

from pathlib import Path

from aforesaid.ids import microseconds
from aforesaid.models.store import Backup, DamagedRecord
from aforesaid.ports import Clock, Progress
from aforesaid.storage.repositories import append
from aforesaid.storage.repositories.integrity_checks import damaged_messages
from aforesaid.storage.sqlite.database import SqliteDatabase
from aforesaid.storage.sqlite.encryption import StoreKey
from aforesaid.storage.sqlite.online_backup import backup
from aforesaid.storage.sqlite.row_checksums import wrong_rows
from aforesaid.storage.sqlite.session import SqliteSession
from aforesaid.storage.store import Store


class SqliteStore(Store):
    """Opens the file, and creates or migrates it if needed."""

    def __init__(self, path: str, *, synchronous: str, clock: Clock, key: StoreKey | None = None) -> None:
        database = SqliteDatabase(path, synchronous=synchronous, key=key)
        try:
            if database.needs_migration():
                database.migrate(microseconds(clock()), append.seal_all)
        except BaseException:
            database.close()
            raise
        super().__init__(database, clock)
        self._file = database

    def backup(self, destination: Path, force: bool, damaged: bool, progress: Progress) -> Backup:
        return backup(self._file, destination, progress, damaged_records, force=force, damaged=damaged)


def damaged_records(session: SqliteSession) -> list[DamagedRecord]:
    """The records of a file that differ from their checksums."""
    messages = [record for row, record in damaged_messages(session) if row.checksum is not None]
    rows = wrong_rows(session.connection)
    return messages + [DamagedRecord(row.table, row.id) for row in rows if row.checksum is not None]

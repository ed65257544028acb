"""The store of many processes: a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from recollect.errors import InvalidInput
from recollect.ids import microseconds
from recollect.models import Backup
from recollect.ports import Clock, Progress
from recollect.stores.postgres.database import Database
from recollect.stores.store import DatabaseStore


class PostgresStore(DatabaseStore):
    """Opens the database, making or migrating its tables where needed."""

    def __init__(self, address: str, *, synchronous: str, clock: Clock) -> None:
        database = Database(address, synchronous=synchronous)
        try:
            database.migrate(microseconds(clock()))
        except BaseException:
            database.close()
            raise
        super().__init__(database, clock)

    def backup(self, destination: Path, force: bool, progress: Progress) -> Backup:  # noqa: ARG002
        raise InvalidInput("a database on a server is backed up with the server's own tools: pg_dump, pg_basebackup")

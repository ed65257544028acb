"""A store in a PostgreSQL database, for many processes."""

from __future__ import annotations

from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.ids import microseconds
from aforesaid.models.store import Backup
from aforesaid.ports import Clock, Progress
from aforesaid.storage.postgres.database import PostgresDatabase
from aforesaid.storage.repositories import append
from aforesaid.storage.store import Store


class PostgresStore(Store):
    """Opens the database, and creates or migrates its tables if needed."""

    def __init__(self, address: str, *, synchronous: str, clock: Clock) -> None:
        database = PostgresDatabase(address, synchronous=synchronous)
        try:
            if database.migrate(microseconds(clock())):
                database.write(append.seal_all, alone=True)
        except BaseException:
            database.close()
            raise
        super().__init__(database, clock)

    def backup(self, destination: Path, force: bool, damaged: bool, progress: Progress) -> Backup:  # noqa: ARG002
        raise InvalidInput("a database on a server is backed up with the server's own tools: pg_dump, pg_basebackup")

"""The store of many processes: a PostgreSQL database."""

from __future__ import annotations

from recollect.ids import microseconds
from recollect.ports import Clock
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

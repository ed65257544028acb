"""Compares the vectors with the log, and queues what is missing."""

from __future__ import annotations

from datetime import datetime

import apsw
import numpy as np

from recollect.ids import microseconds
from recollect.stores import queries
from recollect.stores.nouns import jobs, vectors
from recollect.stores.nouns.blocks import TARGET
from recollect.stores.sqlite import migrate
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "check")
TABLES = ("vectors", "vector_blocks")


class VectorCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        with self._database.read() as connection:
            present = {row[0] for row in fetch(connection, SQL["tables"])}
        missing = [name for name in TABLES if name not in present]
        return len(missing), f"missing: {', '.join(missing)}"

    def make_tables(self) -> None:
        def work(connection: apsw.Connection) -> None:
            migrate.make_derived(connection)
            connection.execute(SQL["unreached"])

        self._database.write(work)

    def look_missing(self) -> tuple[int, str]:
        with self._database.read() as connection:
            return len(_missing(connection)), "messages have no vector and no job that will make one"

    def queue_missing(self) -> None:
        def work(connection: apsw.Connection) -> None:
            for key in sorted(_missing(connection)):
                space_key = fetch(connection, SQL["owner"], {"message_key": key})[0][0]
                jobs.insert(connection, "embed", space_key, key, microseconds(self._at))

        self._database.write(work)

    def look_orphans(self) -> tuple[int, str]:
        with self._database.read() as connection:
            return len(_orphans(connection)), "vectors belong to no message"

    def remove_orphans(self) -> None:
        def work(connection: apsw.Connection) -> None:
            by_space: dict[int, set[int]] = {}
            for space_key, message_key in _orphans(connection):
                by_space.setdefault(space_key, set()).add(message_key)
            for space_key, messages in by_space.items():
                vectors.remove(connection, space_key, messages)

        self._database.write(work)


def _missing(connection: apsw.Connection) -> set[int]:
    serving = [row for row in fetch(connection, vectors.SQL["models"]) if row[3] == "serving"]
    if not serving:
        return set()
    awaited = {row[0] for row in fetch(connection, SQL["awaited"])}
    return vectors.lacking(connection, serving[0][0]) - awaited


def _orphans(connection: apsw.Connection) -> set[tuple[int, int]]:
    found = {(row[0], row[1]) for row in fetch(connection, SQL["vector_messages"])}
    for space_key, targets in fetch(connection, SQL["all_block_targets"]):
        found.update((space_key, int(key)) for key in np.frombuffer(targets, TARGET)["message"])
    known = {row[0] for row in fetch(connection, vectors.SQL["embeddable"])}
    return {pair for pair in found if pair[1] not in known}

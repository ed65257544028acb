"""Compares the vectors with the log, and queues what is missing."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from recollect.ids import microseconds
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import jobs, vectors
from recollect.stores.nouns.blocks import TARGET

SQL = queries.named("check")


class VectorCheck:
    def __init__(self, database: Database, at: datetime) -> None:
        self._database = database
        self._at = at

    def look_tables(self) -> tuple[int, str]:
        missing = self._database.missing_tables([name for (name,) in self._database.query(SQL["vector_tables"])])
        return len(missing), f"missing: {', '.join(missing)}"

    def make_tables(self) -> None:
        def work(session: Session) -> None:
            session.make_derived()
            session.execute(SQL["unreached"])

        self._database.write(work, alone=True)

    def look_missing(self) -> tuple[int, str]:
        with self._database.read() as session:
            return len(_missing(session)), "messages have no vector and no job that will make one"

    def queue_missing(self) -> None:
        def work(session: Session) -> None:
            for key in sorted(_missing(session)):
                space_key = session.fetch(SQL["owner"], {"message_key": key})[0][0]
                jobs.insert(session, "embed", space_key, key, microseconds(self._at))

        self._database.write(work, alone=True)

    def look_orphans(self) -> tuple[int, str]:
        with self._database.read() as session:
            return len(_orphans(session)), "vectors belong to no message"

    def remove_orphans(self) -> None:
        def work(session: Session) -> None:
            by_space: dict[int, set[int]] = {}
            for space_key, message_key in _orphans(session):
                by_space.setdefault(space_key, set()).add(message_key)
            for space_key, messages in by_space.items():
                vectors.remove(session, space_key, messages)

        self._database.write(work, alone=True)


def _missing(session: Session) -> set[int]:
    serving = [row for row in session.fetch(vectors.SQL["models"]) if row[3] == "serving"]
    if not serving:
        return set()
    awaited = {row[0] for row in session.fetch(SQL["awaited"])}
    return vectors.lacking(session, serving[0][0]) - awaited


def _orphans(session: Session) -> set[tuple[int, int]]:
    found = {(row[0], row[1]) for row in session.fetch(SQL["vector_messages"])}
    for space_key, targets in session.fetch(SQL["all_block_targets"]):
        found.update((space_key, int(key)) for key in np.frombuffer(targets, TARGET)["message"])
    known = {row[0] for row in session.fetch(vectors.SQL["embeddable"])}
    return {pair for pair in found if pair[1] not in known}

"""The outbox in SQLite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.ids import microseconds
from recollect.models import Job
from recollect.stores import queries, rows
from recollect.stores.sqlite import spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "jobs")


def insert(
    connection: apsw.Connection,
    kind: str,
    keys: tuple[int | None, int | None, int | None],
    at: int,
) -> None:
    """Queues work on a space, a conversation and a message (any of which may be missing)."""
    space_key, conversation_key, message_key = keys
    connection.execute(
        SQL["insert"],
        {
            "kind": kind,
            "space_key": space_key,
            "conversation_key": conversation_key,
            "message_key": message_key,
            "at": at,
        },
    )


def insert_once(connection: apsw.Connection, kind: str, at: int) -> None:
    """Queues work on the whole store, unless such work is open already."""
    if not fetch(connection, SQL["is_open"], {"kind": kind}):
        insert(connection, kind, (None, None, None), at)


def owned(connection: apsw.Connection, job: Job) -> bool:
    """Whether the job is still its worker's: not taken over, not deleted."""
    return bool(fetch(connection, SQL["owned"], {"job_key": job.id, "worker": job.worker}))


def finish(connection: apsw.Connection, job: Job, milliseconds: float, at: datetime) -> None:
    connection.execute(
        SQL["finish"],
        {"job_key": job.id, "worker": job.worker, "milliseconds": milliseconds, "at": microseconds(at)},
    )


class SqliteJobs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, kind: str, space: str | None, at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            key = None if space is None else spaces.key_or_make(connection, space, at)
            insert(connection, kind, (key, None, None), microseconds(at))

        self._database.write(work)

    def claim(self, worker: str, kinds: Sequence[str], at: datetime, until: datetime, limit: int) -> list[Job]:
        scope = {"at": microseconds(at), "kinds": json.dumps(kinds)}
        with self._database.read() as connection:
            if not fetch(connection, SQL["first_due"], scope):
                return []

        def work(connection: apsw.Connection) -> list[Job]:
            first = fetch(connection, SQL["first_due"], scope)
            if not first:
                return []
            values = {"worker": worker, "until": microseconds(until), "limit": limit, "kind": first[0][0]}
            claimed = fetch(connection, SQL["claim"], {"at": scope["at"], **values})
            return [_get(connection, key) for (key,) in sorted(claimed)]

        return self._database.write(work, durable=False)

    def finish(self, jobs: Sequence[Job], milliseconds: float, at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            for job in jobs:
                finish(connection, job, milliseconds / len(jobs), at)

        self._database.write(work, durable=False)

    def retry(self, jobs: Sequence[Job], error: str, due: datetime) -> None:
        self._each("retry", jobs, {"error": error, "due": microseconds(due)})

    def again(self, jobs: Sequence[Job], due: datetime) -> None:
        self._each("again", jobs, {"due": microseconds(due)})

    def fail(self, jobs: Sequence[Job], error: str, at: datetime) -> None:
        self._each("fail", jobs, {"error": error, "at": microseconds(at)})

    def open(self, kinds: Sequence[str]) -> int:
        with self._database.read() as connection:
            return int(fetch(connection, SQL["open"], {"kinds": json.dumps(kinds)})[0][0])

    def last_error(self) -> str | None:
        with self._database.read() as connection:
            found = fetch(connection, SQL["last_error"])
        return found[0][0] if found else None

    def list(self, state: str | None, limit: int) -> list[Job]:
        with self._database.read() as connection:
            found = fetch(connection, SQL["list"], {"state": state, "limit": limit})
        return [rows.job(row) for row in found]

    def prune(self, before: datetime) -> int:
        def work(connection: apsw.Connection) -> int:
            connection.execute(SQL["prune"], {"before": microseconds(before)})
            return connection.changes()

        return self._database.write(work)

    def _each(self, query: str, jobs: Sequence[Job], values: dict[str, str | int]) -> None:
        def work(connection: apsw.Connection) -> None:
            for job in jobs:
                connection.execute(SQL[query], {"job_key": job.id, "worker": job.worker, **values})

        self._database.write(work, durable=False)


def _get(connection: apsw.Connection, key: int) -> Job:
    return rows.job(fetch(connection, SQL["get"], {"job_key": key})[0])

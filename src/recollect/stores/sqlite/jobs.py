"""The outbox in SQLite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw

from recollect.ids import microseconds
from recollect.models import Job
from recollect.stores import queries, rows
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "jobs")
STATES = ("failed", "running", "queued", "done")  # as a person wants to see them
WHOLE_STORE = 0
NEVER = timedelta(minutes=30)  # no job waits longer than this: one that seems to was queued by a clock that was wrong


def insert(connection: apsw.Connection, kind: str, space_key: int | None, message_key: int, at: int) -> None:
    """Queues work on a message or (0) on the whole store, unless the same work is queued already."""
    values = {"kind": kind, "space_key": space_key, "message_key": message_key, "at": at}
    connection.execute(SQL["insert"], values)


def message_of(job: Job) -> int:
    """The key of the message that a job is about."""
    return int(job.id.rpartition("-")[2])


def owned(connection: apsw.Connection, job: Job) -> bool:
    """Whether the job is still its worker's: not taken over, not deleted."""
    return bool(fetch(connection, SQL["owned"], _key(job)))


def finish(connection: apsw.Connection, job: Job, milliseconds: float, at: datetime) -> None:
    connection.execute(SQL["finish"], {"milliseconds": milliseconds, "at": microseconds(at), **_key(job)})


class SqliteJobs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, worker: str, kinds: Sequence[str], at: datetime, until: datetime, limit: int) -> list[Job]:
        scope = {"at": microseconds(at), "never": microseconds(at + NEVER), "kinds": json.dumps(kinds)}
        with self._database.read() as connection:
            if not _due(connection, scope, 1)[1]:
                return []

        def work(connection: apsw.Connection) -> list[Job]:
            state, found = _due(connection, scope, limit)
            taken = [row for row in found if row[0] == found[0][0]]
            values = {"worker": worker, "until": microseconds(until), "state": state}
            jobs = []
            for kind, message_key in taken:
                key = {"kind": kind, "message_key": message_key}
                connection.execute(SQL["claim"], values | key)
                jobs.append(_job(fetch(connection, SQL["get"], key)[0]))
            return jobs

        return self._database.write(work, durable=False)

    def finish(self, jobs: Sequence[Job], milliseconds: float, at: datetime) -> None:
        self._each("finish", jobs, {"milliseconds": milliseconds / len(jobs), "at": microseconds(at)})

    def again(self, jobs: Sequence[Job], due: datetime) -> None:
        self._each("again", jobs, {"due": microseconds(due)})

    def retry(self, jobs: Sequence[Job], error: str, due: datetime) -> None:
        self._each("retry", jobs, {"error": error, "due": microseconds(due)})

    def fail(self, jobs: Sequence[Job], error: str, at: datetime) -> None:
        self._each("fail", jobs, {"error": error, "at": microseconds(at)})

    def open(self, kinds: Sequence[str]) -> int:
        return int(self._database.query(SQL["open"], {"kinds": json.dumps(kinds)})[0][0])

    def last_error(self) -> str | None:
        found = self._database.query(SQL["last_error"])
        return found[0][0] if found else None

    def list(self, state: str | None, limit: int) -> list[Job]:
        with self._database.read() as connection:
            found: list[Row] = []
            for one in STATES if state is None else (state,):
                found += fetch(connection, SQL["list"], {"state": one, "limit": limit - len(found)})
        return [_job(row) for row in found]

    def prune(self, before: datetime) -> int:
        def work(connection: apsw.Connection) -> int:
            connection.execute(SQL["prune"], {"before": microseconds(before)})
            return connection.changes()

        return self._database.write(work)

    def _each(self, query: str, jobs: Sequence[Job], values: dict[str, Any]) -> None:
        def work(connection: apsw.Connection) -> None:
            for job in jobs:
                connection.execute(SQL[query], values | _key(job))

        self._database.write(work, durable=False)


def _due(connection: apsw.Connection, scope: dict[str, Any], limit: int) -> tuple[str, list[Row]]:
    """Due jobs of one state: first those whose worker has been silent for too long."""
    late = fetch(connection, SQL["late"], {"at": scope["at"], "kinds": scope["kinds"], "limit": limit})
    return ("running", late) if late else ("queued", fetch(connection, SQL["due"], scope | {"limit": limit}))


def _key(job: Job) -> dict[str, Any]:
    return {"kind": job.kind, "message_key": message_of(job), "worker": job.worker}


def _job(row: Row) -> Job:
    kind, message_key, *rest = row
    return rows.job((f"{kind}-{message_key}", kind, *rest))

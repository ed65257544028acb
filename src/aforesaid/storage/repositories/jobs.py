"""The job queue (outbox).

The table is one tree with the key state, message and kind. So adding a job touches one page, open jobs are found
without another index, and the same work is never queued twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from aforesaid.ids import microseconds
from aforesaid.models.job import Job, JobResult, JobState
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, moment
from aforesaid.storage.database import Row, Session, first, scalar
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.space_keys import conversation_keys

SQL = queries.named("jobs")
STATES = ("failed", "running", "queued", "done")  # in the order that a list shows
WHOLE_STORE = 0
KINDS: Mapping[str, tuple[str, ...]] = {  # what each kind of work is about
    "store": ("reembed", "sweep", "scrub", "near", "expire"),
    "message": ("embed", "index", "times"),
    "conversation": ("distill", "segment", "rolling", "learn", "narrate", "records", "extract"),
    "note": ("note",),
}
ABOUT = {kind: about for about, kinds in KINDS.items() for kind in kinds}
NEVER = timedelta(minutes=30)  # no job is due later than this: one that seems to be was queued by a wrong clock


def insert(session: Session, kind: str, space_key: int | None, target: int, at: int) -> None:
    """Queues a job on a target, unless the same job is queued already."""
    values = {"kind": kind, "about": ABOUT[kind], "space_key": space_key, "target": target, "at": at}
    session.execute(SQL["insert"], values)


def remove(session: Session, about: str, targets: Iterable[int]) -> None:
    """Removes all work on these messages, conversations or notes."""
    kinds = json.dumps(KINDS[about])
    session.execute_each(SQL["delete"], [{"kinds": kinds, "target": target} for target in targets])


def target_of(job: Job) -> int:
    """Returns the key of the record that a job is about."""
    return int(job.id.rpartition("-")[2])


def finish_owned(session: Session, claimed: Sequence[Job], milliseconds: float, at: datetime) -> set[int]:
    """Finishes the jobs that still belong to their worker: not taken over, not deleted. Returns their targets."""
    results = session.fetch_each(SQL["owned"], map(_key, claimed))
    owned = [_key(job) for job, rows in zip(claimed, results, strict=True) if rows]
    values = {"milliseconds": milliseconds / len(claimed), "at": microseconds(at), "error": None}
    session.execute_each(SQL["finish"], [values | key for key in owned])
    return {key["target"] for key in owned}


class Jobs(Repository):
    """The job queue. A job belongs to its worker until its lease ends; a late answer of an old worker is ignored."""

    def claim(self, worker: str, kinds: Sequence[str], at: datetime, until: datetime, limit: int) -> list[Job]:
        """Claims due jobs of the first of these kinds that has any, oldest first: running ones whose lease has ended,
        else queued ones. Work in progress is not started a second time."""
        now = {"at": microseconds(at), "never": microseconds(at + NEVER)}
        ready = {kind for (kind,) in self._database.query(SQL["ready"], {"kinds": json.dumps(kinds), **now})}
        if not ready:
            return []

        def work(session: Session) -> list[Job]:
            for kind in (kind for kind in kinds if kind in ready):
                state, targets = _due(session, kind, now, limit)
                if targets:
                    values = {"worker": worker, "until": microseconds(until), "state": state, "kind": kind}
                    return _claim(session, [values | {"target": target} for target in targets])
            return []

        return self._database.write(work, durable=False)

    def renew(self, jobs: Sequence[Job], until: datetime) -> None:
        """Prolongs the lease of the jobs that still belong to their worker."""
        self._each("renew", jobs, {"until": microseconds(until)})

    def queue(self, kind: str, space: str, conversation: str, at: datetime) -> bool:
        """Queues work on a conversation unless it is queued already. Returns False if there is no such conversation."""

        def work(session: Session) -> bool:
            keys = conversation_keys(session, space, conversation)
            if keys is not None:
                insert(session, kind, *keys, microseconds(at))
            return keys is not None

        return self._database.write(work, space, durable=False)

    def queue_idle(self, kind: str, at: datetime, idle: timedelta) -> None:
        """Queues work, once, on each conversation that was distilled last at least `idle` ago. Reads the conversations
        of the last month, as long as finished jobs are kept."""
        values = {"kind": kind, "at": microseconds(at), "idle": idle // timedelta(microseconds=1)}
        self._database.write(lambda session: session.execute(SQL["insert_idle"], values), durable=False)

    def finish(self, jobs: Sequence[Job], milliseconds: float, at: datetime, error: str | None = None) -> None:
        """`error`: why the jobs could not do their work, and left it to the next job of their kind."""
        spent = {"milliseconds": milliseconds / len(jobs), "at": microseconds(at), "error": error}
        self._each("finish", jobs, spent)

    def again(self, jobs: Sequence[Job], due: datetime) -> None:
        """Puts back jobs that did a part of their work and have more to do."""
        self._each("again", jobs, {"due": microseconds(due)})

    def retry(self, jobs: Sequence[Job], error: str, due: datetime) -> None:
        self._each("retry", jobs, {"error": error, "due": microseconds(due)})

    def fail(self, jobs: Sequence[Job], error: str, at: datetime) -> None:
        self._each("fail", jobs, {"error": error, "at": microseconds(at)})

    def open(self, kinds: Sequence[str]) -> int:
        return int(scalar(self._database.query(SQL["open"], {"kinds": json.dumps(kinds)})))

    def state_of(self, kind: str, space: str, message: str) -> JobState | None:
        """Returns the state of the work of a kind on a message; None if there is none, or it is done."""
        with self._database.read(space) as session:
            values = {"kind": kind, "space_key": session.key_of(space), "id": message}
            row = first(session.fetch(SQL["of_message"], values))
        return row.state if row else None

    def last_error(self) -> str | None:
        row = first(self._database.query(SQL["last_error"]))
        return row.error if row else None

    def list(self, state: str | None, limit: int) -> list[Job]:
        with self._database.read() as session:
            jobs: list[Job] = []
            for each in STATES if state is None else (state,):
                jobs += _newest(session, each, limit - len(jobs))
        return jobs

    def ended(self, kind: str, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[JobResult]:
        """Returns the jobs finished from `since` on and before `until`, of one space or of all."""
        span = {"since": microseconds(since), "until": microseconds(until)}
        rows = self._database.query(SQL["ended"], {"kind": kind, "space": space, "limit": limit, **span}, space)
        return [JobResult(moment(row.finished_at), row.milliseconds, True) for row in rows]

    def prune(self, before: datetime) -> int:
        values = {"before": microseconds(before)}
        return self._database.write(lambda session: session.changed(SQL["prune"], values))

    def _each(self, query: str, jobs: Sequence[Job], values: dict[str, Any]) -> None:
        rows = [values | _key(job) for job in jobs]
        self._database.write(lambda session: session.execute_each(SQL[query], rows), durable=False)


def _newest(session: Session, state: str, limit: int) -> list[Job]:
    kinds = [kind for each in KINDS.values() for kind in each]
    results = session.fetch_each(SQL["list"], [{"state": state, "kind": kind, "limit": limit} for kind in kinds])
    jobs = [_job_from_row(row) for rows in results for row in rows]
    return sorted(jobs, key=lambda job: job.created_at, reverse=True)[:limit]


def _due(session: Session, kind: str, now: dict[str, int], limit: int) -> tuple[str, list[int]]:
    """Returns the targets of due jobs of a kind: first those whose lease has ended. A target in progress waits. Nobody
    else claims them during the transaction."""
    scope = now | {"kind": kind, "limit": limit}
    late = [target for (target,) in session.fetch(SQL["late"], scope)]
    return ("running", late) if late else ("queued", [target for (target,) in session.fetch(SQL["due"], scope)])


def _claim(session: Session, values: Sequence[dict[str, Any]]) -> list[Job]:
    session.execute_each(SQL["claim"], values)
    return [_job_from_row(row) for (row,) in session.fetch_each(SQL["get"], values)]


def _key(job: Job) -> dict[str, Any]:
    return {"kind": job.kind, "target": target_of(job), "worker": job.worker}


def _job_from_row(row: Row) -> Job:
    return from_row(Job, row, id=f"{row.kind}-{row.target}", message_id=row.message)

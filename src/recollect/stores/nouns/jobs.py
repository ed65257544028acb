"""The outbox."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from recollect.ids import microseconds
from recollect.models import Job
from recollect.records import Worked
from recollect.stores import queries, rows
from recollect.stores.database import Database, Row, Session

SQL = queries.named("jobs")
CONVERSATIONS = queries.named("conversations")
STATES = ("failed", "running", "queued", "done")  # as a person wants to see them
WHOLE_STORE = 0
KINDS: Mapping[str, tuple[str, ...]] = {  # what each kind of work is about
    "store": ("reembed", "sweep", "scrub", "near"),
    "message": ("embed", "index", "times"),
    "conversation": ("distill", "segment", "rolling", "learn", "narrate"),
    "note": ("note",),
}
NEVER = timedelta(minutes=30)  # no job waits longer than this: one that seems to was queued by a clock that was wrong


def insert(session: Session, kind: str, space_key: int | None, target: int, at: int) -> None:
    """Queues work on what the kind is about, unless the same work is queued already."""
    about = next(about for about, kinds in KINDS.items() if kind in kinds)
    values = {"kind": kind, "about": about, "space_key": space_key, "target": target, "at": at}
    session.execute(SQL["insert"], values)


def remove(session: Session, about: str, targets: Iterable[int]) -> None:
    """Removes all work on these messages, conversations or notes."""
    kinds = json.dumps(KINDS[about])
    session.execute_each(SQL["delete"], [{"kinds": kinds, "target": target} for target in targets])


def target_of(job: Job) -> int:
    """The key of what a job is about."""
    return int(job.id.rpartition("-")[2])


def owned(session: Session, claimed: Sequence[Job]) -> list[Job]:
    """Those that are still their worker's: not taken over, not deleted."""
    found = session.fetch_each(SQL["owned"], map(_key, claimed))
    return [job for job, rows in zip(claimed, found, strict=True) if rows]


def finish(session: Session, job: Job, milliseconds: float, at: datetime) -> None:
    session.execute(SQL["finish"], {"milliseconds": milliseconds, "at": microseconds(at), "error": None, **_key(job)})


class Jobs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, worker: str, kinds: Sequence[str], at: datetime, until: datetime, limit: int) -> list[Job]:
        moment = {"at": microseconds(at), "never": microseconds(at + NEVER)}
        ready = {kind for (kind,) in self._database.query(SQL["ready"], {"kinds": json.dumps(kinds), **moment})}
        if not ready:
            return []

        def work(session: Session) -> list[Job]:
            for kind in (kind for kind in kinds if kind in ready):
                state, targets = _due(session, kind, moment, limit)
                if targets:
                    values = {"worker": worker, "until": microseconds(until), "state": state, "kind": kind}
                    return _claim(session, [values | {"target": target} for target in targets])
            return []

        return self._database.write(work, durable=False)

    def queue(self, kind: str, space: str, conversation: str, at: datetime) -> bool:
        def work(session: Session) -> bool:
            keys = session.fetch(CONVERSATIONS["find"], {"space": space, "conversation": conversation})
            for space_key, conversation_key in keys:
                insert(session, kind, space_key, conversation_key, microseconds(at))
            return bool(keys)

        return self._database.write(work, space, durable=False)

    def finish(self, jobs: Sequence[Job], milliseconds: float, at: datetime, error: str | None = None) -> None:
        spent = {"milliseconds": milliseconds / len(jobs), "at": microseconds(at), "error": error}
        self._each("finish", jobs, spent)

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
        with self._database.read() as session:
            found: list[Job] = []
            for one in STATES if state is None else (state,):
                found += _newest(session, one, limit - len(found))
        return found

    def ended(self, kind: str, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[Worked]:
        span = {"since": microseconds(since), "until": microseconds(until)}
        found = self._database.query(SQL["ended"], {"kind": kind, "space": space, "limit": limit, **span}, space)
        return [Worked(rows.moment(at), milliseconds, True) for at, milliseconds in found]

    def prune(self, before: datetime) -> int:
        def work(session: Session) -> int:
            return session.changed(SQL["prune"], {"before": microseconds(before)})

        return self._database.write(work)

    def _each(self, query: str, jobs: Sequence[Job], values: dict[str, Any]) -> None:
        def work(session: Session) -> None:
            for job in jobs:
                session.execute(SQL[query], values | _key(job))

        self._database.write(work, durable=False)


def _newest(session: Session, state: str, limit: int) -> list[Job]:
    kinds = [kind for each in KINDS.values() for kind in each]
    found = session.fetch_each(SQL["list"], [{"state": state, "kind": kind, "limit": limit} for kind in kinds])
    jobs = [_job(row) for each in found for row in each]
    return sorted(jobs, key=lambda job: job.created_at, reverse=True)[:limit]


def _due(session: Session, kind: str, moment: dict[str, int], limit: int) -> tuple[str, list[int]]:
    """What due jobs of a kind are about: first those whose worker has been silent for too long. What somebody is at
    work on waits for that to end. Nobody else takes them while the transaction lasts."""
    scope = {"kind": kind, "limit": limit}
    late = session.fetch(SQL["late"], moment | scope)
    if late:
        return "running", [target for (target,) in late]
    return "queued", [target for (target,) in session.fetch(SQL["due"], moment | scope)]


def _claim(session: Session, values: Sequence[dict[str, Any]]) -> list[Job]:
    session.execute_each(SQL["claim"], values)
    return [_job(rows[0]) for rows in session.fetch_each(SQL["get"], values)]


def _key(job: Job) -> dict[str, Any]:
    return {"kind": job.kind, "target": target_of(job), "worker": job.worker}


def _job(row: Row) -> Job:
    kind, target, *rest = row
    return rows.job((f"{kind}-{target}", kind, *rest))

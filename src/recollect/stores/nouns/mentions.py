"""What messages say about time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone

from recollect.ids import microseconds
from recollect.models import Job, When
from recollect.records import Spoken
from recollect.stores import queries, rows
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import jobs, spaces

SQL = queries.named("mentions")
CHECK = queries.named("check")


class Mentions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def texts(self, claimed: Sequence[Job]) -> list[Spoken]:
        with self._database.read() as session:
            found = session.fetch_each(SQL["spoken"], [{"message_key": jobs.target_of(job)} for job in claimed])
        return [_spoken(row) for each in found for row in each]

    def put(
        self, whens: Mapping[int, Sequence[When]], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        def work(session: Session) -> None:
            mine = jobs.owned(session, claimed)
            _replace(session, {jobs.target_of(job): whens.get(jobs.target_of(job), ()) for job in mine})
            for job in mine:
                jobs.finish(session, job, milliseconds / len(claimed), at)

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def of_messages(self, space: str, ids: Sequence[str]) -> Mapping[str, tuple[When, ...]]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "ids": json.dumps(list(ids))}
            found = session.fetch(SQL["of_messages"], scope)
        whens: dict[str, tuple[When, ...]] = dict.fromkeys(ids, ())
        for id, start, stop, text in found:
            whens[id] += (When(rows.moment(start), rows.moment(stop), text),)
        return whens

    def within(self, space: str, start: datetime, stop: datetime) -> frozenset[int]:
        with self._database.read(space) as session:
            scope = {
                "space_key": spaces.key_of(session, space),
                "start": microseconds(start),
                "stop": microseconds(stop),
            }
            return frozenset(row[0] for row in session.fetch(SQL["within"], scope))


def remove(session: Session, space_key: int, messages: set[int]) -> int:
    """Removes what these messages say about time; says how many mentions went."""
    return session.changed_each(SQL["delete"], [{"space_key": space_key, "message_key": key} for key in messages])


def _replace(session: Session, whens: Mapping[int, Sequence[When]]) -> None:
    """Of these messages, by their keys."""
    owners = session.fetch_each(CHECK["owner"], [{"message_key": key} for key in whens])
    old = [{"space_key": rows[0][0], "message_key": key} for key, rows in zip(whens, owners, strict=True) if rows]
    session.execute_each(SQL["delete"], old)
    columns = [
        {
            "message_key": key,
            "start": microseconds(when.start),
            "stop": microseconds(when.stop),
            "text": when.text,
            "position": position,
        }
        for key, said in whens.items()
        for position, when in enumerate(said)
    ]
    session.execute_each(SQL["put"], columns)


def _spoken(row: Row) -> Spoken:
    message_key, text, created_at, offset = row
    return Spoken(message_key, text, rows.moment(created_at).astimezone(timezone(timedelta(seconds=offset))))

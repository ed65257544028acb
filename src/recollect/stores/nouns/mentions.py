"""What messages say about time, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone

import apsw

from recollect.ids import microseconds
from recollect.models import Job, When
from recollect.records import Spoken
from recollect.stores import queries, rows
from recollect.stores.nouns import jobs, spaces
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "mentions")
CHECK = queries.named("sqlite", "check")


class SqliteMentions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def texts(self, claimed: Sequence[Job]) -> list[Spoken]:
        with self._database.read() as connection:
            found = [fetch(connection, SQL["spoken"], {"message_key": jobs.target_of(job)}) for job in claimed]
        return [_spoken(row) for each in found for row in each]

    def put(
        self, whens: Mapping[int, Sequence[When]], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        def work(connection: apsw.Connection) -> None:
            for job in claimed:
                if jobs.owned(connection, job):
                    _replace(connection, jobs.target_of(job), whens.get(jobs.target_of(job), ()))
                    jobs.finish(connection, job, milliseconds / len(claimed), at)

        self._database.write(work, durable=False)

    def of_messages(self, space: str, ids: Sequence[str]) -> Mapping[str, tuple[When, ...]]:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), "ids": json.dumps(list(ids))}
            found = fetch(connection, SQL["of_messages"], scope)
        whens: dict[str, tuple[When, ...]] = dict.fromkeys(ids, ())
        for id, start, stop, text in found:
            whens[id] += (When(rows.moment(start), rows.moment(stop), text),)
        return whens

    def within(self, space: str, start: datetime, stop: datetime) -> frozenset[int]:
        with self._database.read() as connection:
            scope = {
                "space_key": spaces.key_of(connection, space),
                "start": microseconds(start),
                "stop": microseconds(stop),
            }
            return frozenset(row[0] for row in fetch(connection, SQL["within"], scope))


def remove(connection: apsw.Connection, space_key: int, messages: set[int]) -> None:
    """Removes what these messages say about time."""
    connection.executemany(SQL["delete"], [{"space_key": space_key, "message_key": key} for key in messages])


def _replace(connection: apsw.Connection, message_key: int, whens: Sequence[When]) -> None:
    for space_key, _ in fetch(connection, CHECK["owner"], {"message_key": message_key}):
        remove(connection, space_key, {message_key})
    for position, when in enumerate(whens):
        connection.execute(
            SQL["put"],
            {
                "message_key": message_key,
                "start": microseconds(when.start),
                "stop": microseconds(when.stop),
                "text": when.text,
                "position": position,
            },
        )


def _spoken(row: Row) -> Spoken:
    message_key, text, created_at, offset = row
    return Spoken(message_key, text, rows.moment(created_at).astimezone(timezone(timedelta(seconds=offset))))

"""The times that messages mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone

from aforesaid.ids import microseconds
from aforesaid.models.index import MessageText
from aforesaid.models.job import Job
from aforesaid.models.message import TimeSpan
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text, moment, to_columns
from aforesaid.storage.database import Row, Session, first
from aforesaid.storage.repositories import jobs
from aforesaid.storage.repositories.base import Repository

SQL = queries.named("mentions")
MESSAGES = queries.named("messages")


class Mentions(Repository):
    def texts(self, claimed: Sequence[Job]) -> list[MessageText]:
        """Returns the messages of these jobs; leaves out deleted ones."""
        with self._database.read() as session:
            results = session.fetch_each(MESSAGES["by_key"], [{"message_key": jobs.target_of(job)} for job in claimed])
        return [_text_from_row(row) for rows in results for row in rows]

    def put(
        self, whens: Mapping[int, Sequence[TimeSpan]], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Replaces the mentions of messages and finishes their jobs in one transaction; leaves out those of a job that
        was taken over."""

        def work(session: Session) -> None:
            owned = jobs.finish_owned(session, claimed, milliseconds, at)
            _replace(session, {key: whens.get(key, ()) for key in owned})

        self._database.write(work, *(job.space for job in claimed), durable=False)

    def of_messages(self, space: str, ids: Sequence[str]) -> Mapping[str, tuple[TimeSpan, ...]]:
        """Returns the mentions of each message, in the order of its text."""
        rows = self._database.query(SQL["of_messages"], {"ids": json_text(list(ids))}, space)
        spans: dict[str, tuple[TimeSpan, ...]] = dict.fromkeys(ids, ())
        for row in rows:
            spans[row.id] += (from_row(TimeSpan, row),)
        return spans

    def within(self, space: str, start: datetime, stop: datetime) -> frozenset[int]:
        """Returns the keys of the messages that mention a time in this span."""
        span = {"start": microseconds(start), "stop": microseconds(stop)}
        return frozenset(row.message_key for row in self._database.query(SQL["within"], span, space))


def remove(session: Session, space_key: int, messages: set[int]) -> int:
    """Removes the mentions of these messages. Returns their number."""
    return session.changed_each(SQL["delete"], [{"space_key": space_key, "message_key": key} for key in messages])


def _replace(session: Session, whens: Mapping[int, Sequence[TimeSpan]]) -> None:
    """Replaces the mentions of messages, by message key."""
    owners = session.fetch_each(MESSAGES["by_key"], [{"message_key": key} for key in whens])
    old = [
        {"space_key": owner.space_key, "message_key": key}
        for key, rows in zip(whens, owners, strict=True)
        if (owner := first(rows))
    ]
    session.execute_each(SQL["delete"], old)
    columns = [
        to_columns(when) | {"message_key": key, "position": position}
        for key, spans in whens.items()
        for position, when in enumerate(spans)
    ]
    session.execute_each(SQL["put"], columns)


def _text_from_row(row: Row) -> MessageText:
    zone = timezone(timedelta(seconds=row.utc_offset))
    return MessageText(row.message_key, row.text, moment(row.created_at).astimezone(zone))

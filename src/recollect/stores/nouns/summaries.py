"""Summaries in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.errors import ConflictError, NotFound
from recollect.ids import microseconds
from recollect.models import Json, Summary, SummaryKind, SummaryStatus, Timings
from recollect.records import Worked
from recollect.stores import ledger_rows, queries, rows
from recollect.stores.nouns import conversations, lineage, summary_notes
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "summaries")


class SqliteSummaries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, summary: Summary) -> Summary:
        def work(connection: apsw.Connection) -> Summary:
            keys = conversations.keys_of(connection, summary.space, summary.conversation)
            if keys is None:
                raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
            _refuse_a_second(connection, keys[1], summary)
            values = {"space_key": keys[0], "conversation_key": keys[1], **ledger_rows.summary_columns(summary)}
            connection.execute(SQL["save"], values)
            if not connection.changes():
                raise ConflictError(f"summary id {summary.id!r} is taken in another conversation", id=summary.id)
            summary_notes.note(connection, values)
            return summary

        return self._database.write(work)

    def get(self, space: str, conversation: str, id: str) -> Summary | None:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["get"], scope | {"id": id})
        return ledger_rows.summary(found[0]) if found else None

    def list(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> list[Summary]:
        values = {"kind": kind, "status": status, "limit": -1 if limit is None else limit}
        return [ledger_rows.summary(row) for row in reversed(self._read(space, conversation, "list", values))]

    def latest(self, space: str, conversation: str, kind: SummaryKind) -> Summary | None:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["latest"], scope | {"kind": kind})
        return ledger_rows.summary(found[0]) if found else None

    def begin(self, summary: Summary, stuck: datetime | None) -> None:
        def work(connection: apsw.Connection) -> None:
            scope = _needed(connection, summary)
            if stuck is not None:
                _take_over(connection, scope | ledger_rows.summary_columns(summary), microseconds(stuck))
            _refuse_a_second(connection, scope["conversation_key"], summary)
            connection.execute(SQL["save"], scope | ledger_rows.summary_columns(summary))
            bases = [] if summary.base_id is None else [summary.base_id]
            _refuse_without(connection, scope, bases)
            _trace(connection, scope, summary, bases)

        self._database.write(work, durable=False)

    def end(self, summary: Summary) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, summary.space, summary.conversation)
            if scope is None:
                return False
            values = scope | ledger_rows.summary_columns(summary)
            connection.execute(SQL["end"], values)
            ended = bool(connection.changes())
            if ended and (summary.kind, summary.status) == ("segment", "completed"):
                connection.execute(SQL["replace_same"], values)
            summary_notes.note(connection, scope)
            return ended

        return self._database.write(work, durable=False)

    def merge(self, summary: Summary, ids: Sequence[str]) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, summary.space, summary.conversation)
            if scope is None or not _all_stand(connection, scope, ids):
                return False
            for old in ids:
                connection.execute(SQL["replace"], scope | {"id": summary.id, "old": old})
            connection.execute(SQL["save"], scope | ledger_rows.summary_columns(summary))
            _trace(connection, scope, summary, ids)
            summary_notes.note(connection, scope)
            return True

        return self._database.write(work, durable=False)

    def standing(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> Sequence[Summary]:
        values = {"kind": kind, "status": status, "limit": -1 if limit is None else limit}
        return [ledger_rows.summary(row) for row in reversed(self._read(space, conversation, "standing", values))]

    def ranges(self, space: str, conversation: str, after: int) -> Sequence[tuple[int, int]]:
        return [(first, last) for first, last in self._read(space, conversation, "ranges", {"after": after})]

    def chain(self, space: str, conversation: str, id: str, limit: int) -> Sequence[Summary]:
        links: dict[str, Summary] = {}
        next_id: str | None = id
        while next_id is not None and next_id not in links and len(links) < limit:
            link = self.get(space, conversation, next_id)
            if link is None:
                break
            links[next_id], next_id = link, link.base_id
        return [*links.values()]

    def timings(self, space: str, conversation: str, kind: SummaryKind) -> Timings:
        found = {row[0]: row[1:] for row in self._read(space, conversation, "counts", {"kind": kind})}
        completed, average, longest = found.get("completed", (0, None, None))
        return Timings(completed, found.get("failed", (0,))[0], average, longest)

    def ended(self, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[Worked]:
        span = {"since": microseconds(since), "until": microseconds(until)}
        found = self._database.query(SQL["ended"], {"space": space, "limit": limit, **span})
        return [Worked(rows.moment(at), milliseconds, bool(well)) for at, milliseconds, well in found]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, space, conversation)
            return scope is not None and remove(connection, scope | {"id": id})

        return self._database.write(work)

    def _read(self, space: str, conversation: str, query: str, values: dict[str, Json]) -> Sequence[Row]:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            return [] if scope is None else fetch(connection, SQL[query], scope | values)


def remove(connection: apsw.Connection, scope: dict[str, Json]) -> bool:
    """Removes a summary by its space's and its conversation's key and its id, with its lineage; what it had taken the
    place of stands again, and its messages are summed up anew when next looked at."""
    found = fetch(connection, SQL["key"], scope)
    for (key,) in found:
        lineage.remove(connection, scope["space_key"], ("summary", key))
        connection.execute(SQL["stand_again"], scope)
        connection.execute(SQL["start_over"], scope)
        connection.execute(SQL["delete"], scope)
        summary_notes.note(connection, scope)
    return bool(found)


def withdraw(connection: apsw.Connection, space_key: int, key: int) -> bool:
    """Removes a summary by its own key, as lineage names it."""
    found = fetch(connection, SQL["by_key"], {"space_key": space_key, "summary_key": key})
    for conversation_key, id in found:
        remove(connection, {"space_key": space_key, "conversation_key": conversation_key, "id": id})
    return bool(found)


def _scope(connection: apsw.Connection, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversations.keys_of(connection, space, conversation)
    if keys is None:
        return None
    return {"space": space, "conversation": conversation, "space_key": keys[0], "conversation_key": keys[1]}


def _needed(connection: apsw.Connection, summary: Summary) -> dict[str, Json]:
    scope = _scope(connection, summary.space, summary.conversation)
    if scope is None:
        raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
    return scope


def _take_over(connection: apsw.Connection, values: dict[str, Json], stuck: int) -> None:
    for other, begun in fetch(connection, SQL["begun"], values):
        if begun > stuck:
            raise ConflictError(f"a summary of these messages is in the making ({other!r})", id=other)
        reason = f"not completed in time; taken over by {values['id']}"
        connection.execute(SQL["give_up"], values | {"id": other, "error": reason})


def _all_stand(connection: apsw.Connection, scope: dict[str, Json], ids: Sequence[str]) -> bool:
    found = [fetch(connection, SQL["get"], scope | {"id": id}) for id in ids]
    stored = [ledger_rows.summary(rows[0]) for rows in found if rows]
    return len(stored) == len(ids) and all(one.status == "completed" and one.replaced_by is None for one in stored)


def _refuse_without(connection: apsw.Connection, scope: dict[str, Json], bases: Sequence[str]) -> None:
    """A base that was withdrawn since it was read may say what is forgotten: nothing is made from it."""
    for id in bases:
        if not fetch(connection, SQL["key"], scope | {"id": id}):
            raise NotFound(f"the summary {id!r} that this one goes on from is gone")


def _trace(connection: apsw.Connection, scope: dict[str, Json], summary: Summary, bases: Sequence[str]) -> None:
    """Says what a summary is made from. A base that is gone has nothing to say."""
    keys = [row[0] for id in bases for row in fetch(connection, SQL["key"], scope | {"id": id})]
    (made,) = fetch(connection, SQL["key"], scope | {"id": summary.id})[0]
    span = {"first_seq": summary.first_seq, "last_seq": summary.last_seq}
    messages = fetch(connection, SQL["message_keys"], scope | span)
    sources = [("summary", key) for key in keys] + [("message", key) for (key,) in messages]
    lineage.put(connection, scope["space_key"], ("summary", made), sources)


def _refuse_a_second(connection: apsw.Connection, conversation_key: int, summary: Summary) -> None:
    """The index refuses it too; this says why."""
    if (summary.kind, summary.status) != ("rolling", "processing"):
        return
    for (other,) in fetch(connection, SQL["in_the_making"], {"conversation_key": conversation_key}):
        if other != summary.id:
            raise ConflictError(
                f"conversation {summary.conversation!r} has a rolling summary in the making ({other!r}); "
                "wait until it is completed or failed",
                id=other,
            )

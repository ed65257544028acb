"""Summaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recollect.errors import ConflictError, NotFound
from recollect.ids import microseconds
from recollect.models import Json, Summary, SummaryKind, SummaryStatus, Timings
from recollect.records import Worked
from recollect.stores import ledger_rows, queries, rows
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import conversations, lineage, summary_notes

SQL = queries.named("summaries")


class Summaries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, summary: Summary) -> Summary:
        def work(session: Session) -> Summary:
            keys = conversations.keys_of(session, summary.space, summary.conversation)
            if keys is None:
                raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
            _refuse_a_second(session, keys[1], summary)
            values = {"space_key": keys[0], "conversation_key": keys[1], **ledger_rows.summary_columns(summary)}
            if not session.changed(SQL["save"], values):
                raise ConflictError(f"summary id {summary.id!r} is taken in another conversation", id=summary.id)
            summary_notes.note(session, values)
            return summary

        return self._database.write(work, summary.space)

    def get(self, space: str, conversation: str, id: str) -> Summary | None:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            found = [] if scope is None else session.fetch(SQL["get"], scope | {"id": id})
        return ledger_rows.summary(found[0]) if found else None

    def list(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> list[Summary]:
        values = {"kind": kind, "status": status, "limit": -1 if limit is None else limit}
        return [ledger_rows.summary(row) for row in reversed(self._read(space, conversation, "list", values))]

    def latest(self, space: str, conversation: str, kind: SummaryKind) -> Summary | None:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            found = [] if scope is None else session.fetch(SQL["latest"], scope | {"kind": kind})
        return ledger_rows.summary(found[0]) if found else None

    def begin(self, summary: Summary, stuck: datetime | None) -> None:
        def work(session: Session) -> None:
            scope = _needed(session, summary)
            if stuck is not None:
                _take_over(session, scope | ledger_rows.summary_columns(summary), microseconds(stuck))
            _refuse_a_second(session, scope["conversation_key"], summary)
            session.execute(SQL["save"], scope | ledger_rows.summary_columns(summary))
            bases = [] if summary.base_id is None else [summary.base_id]
            _refuse_without(session, scope, bases)
            _trace(session, scope, summary, bases)

        self._database.write(work, summary.space, durable=False)

    def end(self, summary: Summary) -> bool:
        def work(session: Session) -> bool:
            scope = _scope(session, summary.space, summary.conversation)
            if scope is None:
                return False
            values = scope | ledger_rows.summary_columns(summary)
            ended = bool(session.changed(SQL["end"], values))
            if ended and (summary.kind, summary.status) == ("segment", "completed"):
                session.execute(SQL["replace_same"], values)
            summary_notes.note(session, scope)
            return ended

        return self._database.write(work, summary.space, durable=False)

    def merge(self, summary: Summary, ids: Sequence[str]) -> bool:
        def work(session: Session) -> bool:
            scope = _scope(session, summary.space, summary.conversation)
            if scope is None or not _all_stand(session, scope, ids):
                return False
            for old in ids:
                session.execute(SQL["replace"], scope | {"id": summary.id, "old": old})
            session.execute(SQL["save"], scope | ledger_rows.summary_columns(summary))
            _trace(session, scope, summary, ids)
            summary_notes.note(session, scope)
            return True

        return self._database.write(work, summary.space, durable=False)

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
        found = self._database.query(SQL["ended"], {"space": space, "limit": limit, **span}, space)
        return [Worked(rows.moment(at), milliseconds, bool(well)) for at, milliseconds, well in found]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(session: Session) -> bool:
            scope = _scope(session, space, conversation)
            return scope is not None and remove(session, scope | {"id": id})

        return self._database.write(work, space)

    def _read(self, space: str, conversation: str, query: str, values: dict[str, Json]) -> Sequence[Row]:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            return [] if scope is None else session.fetch(SQL[query], scope | values)


def remove(session: Session, scope: dict[str, Json]) -> bool:
    """Removes a summary by its space's and its conversation's key and its id, with its lineage; what it had taken the
    place of stands again, and its messages are summed up anew when next looked at."""
    found = session.fetch(SQL["key"], scope)
    for (key,) in found:
        lineage.remove(session, scope["space_key"], ("summary", key))
        session.execute(SQL["stand_again"], scope)
        session.execute(SQL["start_over"], scope)
        session.execute(SQL["delete"], scope)
        summary_notes.note(session, scope)
    return bool(found)


def withdraw(session: Session, space_key: int, key: int) -> bool:
    """Removes a summary by its own key, as lineage names it."""
    found = session.fetch(SQL["by_key"], {"space_key": space_key, "summary_key": key})
    for conversation_key, id in found:
        remove(session, {"space_key": space_key, "conversation_key": conversation_key, "id": id})
    return bool(found)


def _scope(session: Session, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversations.keys_of(session, space, conversation)
    if keys is None:
        return None
    return {"space": space, "conversation": conversation, "space_key": keys[0], "conversation_key": keys[1]}


def _needed(session: Session, summary: Summary) -> dict[str, Json]:
    scope = _scope(session, summary.space, summary.conversation)
    if scope is None:
        raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
    return scope


def _take_over(session: Session, values: dict[str, Json], stuck: int) -> None:
    for other, begun in session.fetch(SQL["begun"], values):
        if begun > stuck:
            raise ConflictError(f"a summary of these messages is in the making ({other!r})", id=other)
        reason = f"not completed in time; taken over by {values['id']}"
        session.execute(SQL["give_up"], values | {"id": other, "error": reason})


def _all_stand(session: Session, scope: dict[str, Json], ids: Sequence[str]) -> bool:
    found = [session.fetch(SQL["get"], scope | {"id": id}) for id in ids]
    stored = [ledger_rows.summary(rows[0]) for rows in found if rows]
    return len(stored) == len(ids) and all(one.status == "completed" and one.replaced_by is None for one in stored)


def _refuse_without(session: Session, scope: dict[str, Json], bases: Sequence[str]) -> None:
    """A base that was withdrawn since it was read may say what is forgotten: nothing is made from it."""
    for id in bases:
        if not session.fetch(SQL["key"], scope | {"id": id}):
            raise NotFound(f"the summary {id!r} that this one goes on from is gone")


def _trace(session: Session, scope: dict[str, Json], summary: Summary, bases: Sequence[str]) -> None:
    """Says what a summary is made from. A base that is gone has nothing to say."""
    keys = [row[0] for id in bases for row in session.fetch(SQL["key"], scope | {"id": id})]
    (made,) = session.fetch(SQL["key"], scope | {"id": summary.id})[0]
    span = {"first_seq": summary.first_seq, "last_seq": summary.last_seq}
    messages = session.fetch(SQL["message_keys"], scope | span)
    sources = [("summary", key) for key in keys] + [("message", key) for (key,) in messages]
    lineage.put(session, scope["space_key"], ("summary", made), sources)


def _refuse_a_second(session: Session, conversation_key: int, summary: Summary) -> None:
    """The index refuses it too; this says why."""
    if (summary.kind, summary.status) != ("rolling", "processing"):
        return
    for (other,) in session.fetch(SQL["in_the_making"], {"conversation_key": conversation_key}):
        if other != summary.id:
            raise ConflictError(
                f"conversation {summary.conversation!r} has a rolling summary in the making ({other!r}); "
                "wait until it is completed or failed",
                id=other,
            )

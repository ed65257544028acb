"""Summaries in SQLite."""

from __future__ import annotations

import apsw

from recollect.errors import ConflictError, NotFound
from recollect.ids import microseconds
from recollect.models import Json, Summary, SummaryKind, SummaryStatus
from recollect.records import Note
from recollect.stores import ledger_rows, queries
from recollect.stores.sqlite import conversations, notes
from recollect.stores.sqlite.database import Database, fetch

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
            note(connection, keys, summary)
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
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            if scope is None:
                return []
            values = {"kind": kind, "status": status, "limit": -1 if limit is None else limit}
            found = fetch(connection, SQL["list"], scope | values)
        return [ledger_rows.summary(row) for row in reversed(found)]

    def latest(self, space: str, conversation: str, kind: SummaryKind) -> Summary | None:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["latest"], scope | {"kind": kind})
        return ledger_rows.summary(found[0]) if found else None

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, space, conversation)
            if scope is None:
                return False
            connection.execute(SQL["delete"], scope | {"id": id})
            gone = bool(connection.changes())
            if gone:
                notes.remove(connection, scope["space_key"], "summary", [id])
            return gone

        return self._database.write(work)


def note(connection: apsw.Connection, keys: tuple[int, int], summary: Summary) -> None:
    """Lets a completed summary be found, inside the caller's transaction; one that is not completed, not."""
    if summary.status != "completed":
        notes.remove(connection, keys[0], "summary", [summary.id])
        return
    at = summary.created_at
    found = Note(
        "summary",
        summary.id,
        summary.text,
        summary.importance,
        at,
        keys[1],
        summary.kind,
        valid_from=at,
        known_from=at,
    )
    notes.put(connection, keys[0], found, microseconds(at))


def _scope(connection: apsw.Connection, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversations.keys_of(connection, space, conversation)
    if keys is None:
        return None
    return {"space": space, "conversation": conversation, "space_key": keys[0], "conversation_key": keys[1]}


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

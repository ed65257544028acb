"""Summaries as they come back, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection

import apsw

from recollect.errors import ConflictError, NotFound
from recollect.models import Json, Summary
from recollect.stores import ledger_rows, queries
from recollect.stores.nouns import conversations, summary_notes
from recollect.stores.sqlite.database import fetch

SQL = queries.named("sqlite", "moving")
SUMMARIES = queries.named("sqlite", "summaries")


def keep(connection: apsw.Connection, summary: Summary, own: Collection[str]) -> None:
    """Writes a summary that is not there yet."""
    keys = conversations.keys_of(connection, summary.space, summary.conversation)
    if keys is None:
        raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
    scope: dict[str, Json] = {"space_key": keys[0], "conversation_key": keys[1]}
    if fetch(connection, SUMMARIES["key"], scope | {"id": summary.id}):
        return
    values = scope | ledger_rows.summary_columns(summary)
    connection.execute(SUMMARIES["save"], values)
    if not connection.changes():
        raise ConflictError(f"summary id {summary.id!r} is taken in another conversation", id=summary.id)
    if (summary.kind, summary.status, summary.replaced_by) == ("segment", "completed", None):
        _make_room(connection, values, own)
    summary_notes.note(connection, scope)


def _make_room(connection: apsw.Connection, values: dict[str, Json], own: Collection[str]) -> None:
    """Takes the place of a segment that was made here of the same messages."""
    for (old,) in fetch(connection, SQL["summary_twins"], values):
        if old not in own:
            connection.execute(SUMMARIES["replace"], values | {"old": old})

"""Summaries as they come back, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection

from recollect.errors import ConflictError, NotFound
from recollect.models import Json, Summary
from recollect.stores import ledger_rows, queries
from recollect.stores.database import Session
from recollect.stores.nouns import conversations, summary_notes

SQL = queries.named("moving")
SUMMARIES = queries.named("summaries")


def keep(session: Session, summary: Summary, own: Collection[str]) -> None:
    """Writes a summary that is not there yet."""
    keys = conversations.keys_of(session, summary.space, summary.conversation)
    if keys is None:
        raise NotFound(f"space {summary.space!r} has no conversation {summary.conversation!r} to summarise")
    scope: dict[str, Json] = {"space_key": keys[0], "conversation_key": keys[1]}
    if session.fetch(SUMMARIES["key"], scope | {"id": summary.id}):
        return
    values = scope | ledger_rows.summary_columns(summary)
    if not session.changed(SUMMARIES["save"], values):
        raise ConflictError(f"summary id {summary.id!r} is taken in another conversation", id=summary.id)
    if (summary.kind, summary.status, summary.replaced_by) == ("segment", "completed", None):
        _make_room(session, values, own)
    summary_notes.note(session, scope)


def _make_room(session: Session, values: dict[str, Json], own: Collection[str]) -> None:
    """Takes the place of a segment that was made here of the same messages."""
    for (old,) in session.fetch(SQL["summary_twins"], values):
        if old not in own:
            session.execute(SUMMARIES["replace"], values | {"old": old})

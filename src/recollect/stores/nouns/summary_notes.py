"""Lets summaries be found in their conversation, inside the transaction that changes them."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.models import Json
from recollect.records import Note
from recollect.stores import queries, rows
from recollect.stores.database import Session
from recollect.stores.nouns import notes

SQL = queries.named("summary_notes")


def note(session: Session, scope: Mapping[str, Json]) -> None:
    """Brings the notes of a conversation's summaries in line with them: those that are completed and that no other took
    the place of are found, and nothing else."""
    space_key, conversation_key = scope["space_key"], scope["conversation_key"]
    keys = {"space_key": space_key, "conversation_key": conversation_key}
    notes.remove(session, space_key, "summary", [id for (id,) in session.fetch(SQL["stray"], keys)])
    for id, kind, text, importance, at in session.fetch(SQL["unnoted"], keys):
        made = rows.moment(at)
        found = Note("summary", id, text, importance, made, conversation_key, kind, valid_from=made, known_from=made)
        notes.put(session, space_key, found, at)

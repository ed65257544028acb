"""Lets summaries be found in their conversation, inside the transaction that changes them."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from recollect.models import Json
from recollect.records import Note
from recollect.stores import queries, rows
from recollect.stores.nouns import notes
from recollect.stores.sqlite.database import fetch

SQL = queries.named("sqlite", "summary_notes")


def note(connection: apsw.Connection, scope: Mapping[str, Json]) -> None:
    """Brings the notes of a conversation's summaries in line with them: those that are completed and that no other took
    the place of are found, and nothing else."""
    space_key, conversation_key = scope["space_key"], scope["conversation_key"]
    keys = {"space_key": space_key, "conversation_key": conversation_key}
    notes.remove(connection, space_key, "summary", [id for (id,) in fetch(connection, SQL["stray"], keys)])
    for id, kind, text, importance, at in fetch(connection, SQL["unnoted"], keys):
        made = rows.moment(at)
        found = Note("summary", id, text, importance, made, conversation_key, kind, valid_from=made, known_from=made)
        notes.put(connection, space_key, found, at)

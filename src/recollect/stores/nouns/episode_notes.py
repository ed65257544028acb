"""Lets episodes be found, inside the transaction that changes them."""

from __future__ import annotations

from recollect.records import Note
from recollect.stores import queries, rows
from recollect.stores.database import Session
from recollect.stores.nouns import notes

SQL = queries.named("episode_notes")
TOLD = 100  # messages that a note names; a longer episode is found beside those that follow


def note(session: Session, space_key: int, episode_key: int) -> None:
    """Brings the note of an episode in line with it: one that was merged into another is not found beside that."""
    for row in session.fetch(SQL["episode"], {"space_key": space_key, "episode_key": episode_key}):
        id, title, summary, type, significance, said, conversation_key, merged_into, made = row
        if merged_into is not None:
            notes.remove(session, space_key, "episode", [id])
            continue
        at = rows.moment(said)
        text = f"{title}\n{summary}" if summary else title
        told = session.fetch(SQL["messages"], {"space_key": space_key, "episode_key": episode_key, "limit": TOLD})
        found = Note(
            "episode",
            id,
            text,
            significance,
            at,
            conversation_key,
            type,
            valid_from=at,
            known_from=at,
            messages=tuple(message for (message,) in told),
        )
        notes.put(session, space_key, found, made)

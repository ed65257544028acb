"""Lets facts be found, inside the transaction that changes them."""

from __future__ import annotations

import json

from recollect.ids import microseconds
from recollect.records import Note
from recollect.stores import queries, rows
from recollect.stores.database import Session
from recollect.stores.nouns import notes

SQL = queries.named("fact_notes")
FOUND = ("active", "superseded")


def note(session: Session, space_key: int, fact_key: int) -> None:
    """Brings the note of a fact in line with it: what is active or superseded is found, and nothing else. A superseded
    one is found as of a time when it was true."""
    for row in session.fetch(SQL["fact"], {"space_key": space_key, "fact_key": fact_key}):
        id, status, text, importance, kind, category, tags, *times, made = row
        if status not in FOUND:
            notes.remove(session, space_key, "fact", [id])
            continue
        said = session.fetch(SQL["evidence"], {"space_key": space_key, "fact_key": fact_key})
        valid_from, valid_until, known_from, known_until, closed_at = (rows.moment_or_none(one) for one in times)
        found = Note(
            "fact",
            id,
            text,
            importance,
            rows.moment(said[-1][2] if said else made),
            said[-1][1] if said else None,
            kind,
            category,
            tuple(json.loads(tags)),
            valid_from,
            valid_until,
            known_from,
            known_until,
            closed_at,
            status == "active",
            tuple(message for message, _, _ in said),
        )
        notes.put(session, space_key, found, microseconds(known_from) if known_from else made)


def closed_by(session: Session, space_key: int, fact_key: int) -> list[int]:
    """The facts that this one ended."""
    found = session.fetch(SQL["closed_by"], {"space_key": space_key, "fact_key": fact_key})
    return [int(key) for (key,) in found]


def remove(session: Session, space_key: int, fact_key: int) -> None:
    """Before the fact goes."""
    for row in session.fetch(SQL["fact"], {"space_key": space_key, "fact_key": fact_key}):
        notes.remove(session, space_key, "fact", [row[0]])

"""What recall finds beside messages, inside the caller's transaction.

Whoever writes a pin, a summary, a fact or an episode puts its note in the same transaction, and removes the note of
what shall not be found any more.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import NoteKind
from recollect.records import Note
from recollect.stores import queries
from recollect.stores.database import IndexBroken, Row, Session
from recollect.stores.nouns import jobs
from recollect.text.terms import index_terms

SQL = queries.named("notes")

log = logging.getLogger(__name__)


def put(session: Session, space_key: int, note: Note, at: int) -> None:
    """Lets a note be found, in place of the one of the same kind and id: by its words when this commits, by its meaning
    when the job that this queues (`at`, in microseconds) is done. What stands there already is left alone; where
    nothing but its words stays the same, its vector is carried over."""
    columns = _columns(space_key, note)
    before = session.fetch(SQL["find"], {"space_key": space_key, "kind": note.kind, "id": note.id})
    if before and before[0][1:] == tuple(columns[name] for name in COMPARED):
        return
    # the old row goes first: a kind and an id stand once; its vectors go last, for they may be carried over
    for key, *_ in before:
        _remove_row(session, key)
    key = int(session.fetch(SQL["insert"], columns)[0][0])
    for label in labels(note.category, note.tags):
        session.execute(SQL["label"], {"space_key": space_key, "label": label, "note_key": key})
    _index(session, space_key, key, note.text)
    if before and before[0][2] == note.text:
        session.execute(SQL["carry_vector"], {"note_key": key, "before": before[0][0]})
    for old, *_ in before:
        session.execute(SQL["remove_vectors"], {"note_key": old})
    if not session.fetch(SQL["has_vector"], {"note_key": key}):
        jobs.insert(session, "note", space_key, key, at)


def remove(session: Session, space_key: int, kind: NoteKind, ids: Iterable[str]) -> None:
    """Lets the notes of this kind with these ids not be found any more, and leaves nothing of them."""
    for id in ids:
        _remove(session, session.fetch(SQL["find"], {"space_key": space_key, "kind": kind, "id": id}))


def remove_keys(session: Session, keys: Iterable[int]) -> None:
    """The same by the notes' own keys."""
    _remove(session, [(key,) for key in keys])


def remove_conversation(session: Session, space_key: int, conversation_key: int) -> None:
    """Removes every note that names the conversation. What outlives it has to be put anew after this."""
    scope = {"space_key": space_key, "conversation_key": conversation_key}
    _remove(session, session.fetch(SQL["of_conversation"], scope))


def remove_space(session: Session, space_key: int) -> None:
    _remove(session, session.fetch(SQL["of_space"], {"space_key": space_key}))


def index(session: Session, space_key: int, key: int, text: str) -> None:
    """Writes the full-text row of a note that has none; each term carries its space."""
    terms = " ".join(f"{space_key}{term}" for term in dict.fromkeys(index_terms(text)))
    session.execute(SQL["index"], {"space_key": space_key, "note_key": key, "terms": terms})


def labels(category: str | None, tags: Sequence[str]) -> list[str]:
    """What a note is labelled with, as the table has it."""
    return [*([] if category is None else [f"c{category}"]), *(f"t{tag}" for tag in tags)]


def _index(session: Session, space_key: int, key: int, text: str) -> None:
    """A damaged index delays being found by words, never what is written: the doctor indexes it."""
    try:
        with session.indexing():
            index(session, space_key, key, text)
    except IndexBroken as exc:
        log.warning("full-text index not writable", extra={"action": "note_index_delayed", "error": str(exc)})


def _remove(session: Session, found: Sequence[Row]) -> None:
    for key, *_ in found:
        _remove_row(session, key)
        session.execute(SQL["remove_vectors"], {"note_key": key})


def _remove_row(session: Session, key: int) -> None:
    try:
        with session.indexing():
            session.execute(SQL["unindex"], {"note_key": key})
    except IndexBroken as exc:
        log.warning("full-text index not writable", extra={"action": "note_index_delayed", "error": str(exc)})
    session.execute(SQL["delete"], {"note_key": key})  # its labels go with it
    jobs.remove(session, "note", [key])


COMPARED = (
    "conversation_key", "text", "importance", "at", "type", "category", "tags", "messages",
    "valid_from", "valid_until", "known_from", "known_until", "closed_at", "current",
)  # fmt: skip


def _columns(space_key: int, note: Note) -> dict[str, str | int | float | None]:
    return {
        "space_key": space_key,
        "kind": note.kind,
        "id": note.id,
        "conversation_key": note.conversation,
        "text": note.text,
        "importance": note.importance,
        "at": microseconds(note.at),
        "type": note.type,
        "category": note.category,
        "tags": json.dumps(note.tags, ensure_ascii=False),
        "messages": json.dumps(note.messages, ensure_ascii=False),
        "valid_from": _moment(note.valid_from),
        "valid_until": _moment(note.valid_until),
        "known_from": _moment(note.known_from),
        "known_until": _moment(note.known_until),
        "closed_at": _moment(note.closed_at),
        "current": int(note.current),
    }


def _moment(at: datetime | None) -> int | None:
    return None if at is None else microseconds(at)

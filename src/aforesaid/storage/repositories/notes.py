"""Notes: the index entries of pins, facts, episodes, summaries and items.

The transaction that writes a record also writes its note, and removes the note of a record that must not be found
anymore.

A note never changes. A changed record gets a note with a new key, which keeps its vector if the words are the same.
So a cache only reads what was added since. Profiles have no notes, because nothing of a profile may outlive its
consent.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from aforesaid.models.index import Note, NoteKind
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, moment, to_columns
from aforesaid.storage.database import IndexBroken, Session, first, scalar
from aforesaid.storage.repositories import jobs
from aforesaid.text.analyzer import index_terms

SQL = queries.named("notes")
EPISODE_NOTES = queries.named("episode_notes")
FACT_NOTES = queries.named("fact_notes")
SUMMARY_NOTES = queries.named("summary_notes")

FINDABLE = ("active", "superseded")  # statuses of facts
MAX_MESSAGES_NAMED = 100  # messages that a note names
ITEM_MARK = "x"  # no term begins with it

log = logging.getLogger(__name__)


def put_note(session: Session, space_key: int, note: Note, at: int, *, new: bool = False) -> None:
    """Writes a note, in place of the one with the same kind and id. It is found by its words when this commits, and by
    its vector when the job that this queues (`at`, in microseconds) is done. An equal note is left alone. If the text
    stays the same, the vector is kept. `new`: there is no such note."""
    columns = _columns(space_key, note)
    ids = {"space_key": space_key, "kind": note.kind, "id": note.id}
    old = None if new else first(session.fetch(SQL["find"], ids))
    if old is not None:
        if all(getattr(old, name, value) == value for name, value in columns.items()):
            return
        _remove_row(session, old.note_key)  # first, because kind and id are unique
    key = int(scalar(session.fetch(SQL["insert"], columns)))
    for label in [*([] if note.category is None else [f"c{note.category}"]), *(f"t{tag}" for tag in note.tags)]:
        session.execute(SQL["label"], {"space_key": space_key, "label": label, "note_key": key})
    with _log_broken_index(session):
        index_note(session, space_key, key, note.kind, note.text)
    has_vector = False
    if old is not None:
        if old.text == note.text:
            session.execute(SQL["carry_vector"], {"note_key": key, "before": old.note_key})
            has_vector = bool(session.fetch(SQL["has_vector"], {"note_key": key}))
        session.execute(SQL["remove_vectors"], {"note_key": old.note_key})
    if not has_vector:
        jobs.insert(session, "note", space_key, key, at)


def remove_notes(session: Session, space_key: int, kind: NoteKind, ids: Iterable[str]) -> None:
    """Removes the notes of this kind with these ids, and every trace of them."""
    for id in ids:
        rows = session.fetch(SQL["find"], {"space_key": space_key, "kind": kind, "id": id})
        remove_keys(session, [row.note_key for row in rows])


def remove_keys(session: Session, keys: Iterable[int]) -> None:
    for key in keys:
        _remove_row(session, key)
        session.execute(SQL["remove_vectors"], {"note_key": key})


def remove_conversation(session: Session, space_key: int, conversation_key: int) -> None:
    """Removes every note that names the conversation. Records that outlive it must be noted again after this."""
    scope = {"space_key": space_key, "conversation_key": conversation_key}
    remove_keys(session, [row.note_key for row in session.fetch(SQL["of_conversation"], scope)])


def remove_space(session: Session, space_key: int) -> None:
    remove_keys(session, [row.note_key for row in session.fetch(SQL["of_space"], {"space_key": space_key})])


def index_note(session: Session, space_key: int, key: int, kind: NoteKind, text: str) -> None:
    """Writes the full-text row of a note that has none."""
    terms = " ".join(dict.fromkeys(map(term_prefix(space_key, kind).__add__, index_terms(text))))
    session.execute(SQL["index"], {"space_key": space_key, "note_key": key, "terms": terms})


def term_prefix(space_key: int | None, kind: NoteKind) -> str:
    """The mark of the terms of a space. Items have terms of their own: they change no other search."""
    return f"{space_key}{ITEM_MARK if kind == 'item' else ''}"


@contextmanager
def _log_broken_index(session: Session) -> Iterator[None]:
    """A damaged index delays the search by words, never the write: `aforesaid doctor` indexes it."""
    try:
        with session.index_savepoint():
            yield
    except IndexBroken as exc:
        log.warning("full-text index not writable", extra={"action": "note_index_delayed", "error": str(exc)})


def _remove_row(session: Session, key: int) -> None:
    with _log_broken_index(session):
        session.execute(SQL["unindex"], {"note_key": key})
    session.execute(SQL["delete"], {"note_key": key})  # its labels go with it
    jobs.remove(session, "note", [key])


def _columns(space_key: int, note: Note) -> dict[str, Json]:
    return to_columns(note, "conversation") | {
        "space_key": space_key,
        "conversation_key": note.conversation,
        "tags": json.dumps(note.tags, ensure_ascii=False),
        "messages": json.dumps(note.messages, ensure_ascii=False),
    }


def note_fact(session: Session, space_key: int, fact_key: int) -> None:
    """Updates the note of a fact: only an active or superseded fact is found, a superseded one as of a time when it was
    true. Without a stated start, it is true from when it was first said, unless it was over by then."""
    scope = {"space_key": space_key, "fact_key": fact_key}
    for row in session.fetch(FACT_NOTES["fact"], scope):
        if row.status not in FINDABLE:
            remove_notes(session, space_key, "fact", [row.id])
            continue
        evidence = session.fetch(FACT_NOTES["evidence"], scope)
        said = evidence[0].created_at if evidence else row.created_at
        over = row.valid_until is not None and row.valid_until <= said
        start = said if row.valid_from is None and not over else row.valid_from
        note = from_row(
            Note,
            row,
            kind="fact",
            valid_from=None if start is None else moment(start),
            at=moment(evidence[-1].created_at if evidence else row.created_at),
            conversation=evidence[-1].conversation_key if evidence else None,
            type=row.kind,
            current=row.status == "active",
            messages=tuple(message.id for message in evidence),
        )
        put_note(session, space_key, note, row.known_from or row.created_at)


def facts_closed_by(session: Session, space_key: int, fact_key: int) -> list[int]:
    """The facts that this one superseded."""
    rows = session.fetch(FACT_NOTES["closed_by"], {"space_key": space_key, "fact_key": fact_key})
    return [int(row.fact_key) for row in rows]


def remove_fact_note(session: Session, space_key: int, fact_key: int) -> None:
    """Call it before the fact is deleted."""
    for row in session.fetch(FACT_NOTES["fact"], {"space_key": space_key, "fact_key": fact_key}):
        remove_notes(session, space_key, "fact", [row.id])


def note_episode(session: Session, space_key: int, episode_key: int) -> None:
    """Updates the note of an episode: one that was merged into another is not found."""
    scope = {"space_key": space_key, "episode_key": episode_key}
    for row in session.fetch(EPISODE_NOTES["episode"], scope):
        if row.merged_into is not None:
            remove_notes(session, space_key, "episode", [row.id])
            continue
        at = moment(row.at)
        messages = session.fetch(EPISODE_NOTES["messages"], scope | {"limit": MAX_MESSAGES_NAMED})
        text = f"{row.title}\n{row.summary}" if row.summary else row.title
        ids = tuple(message.id for message in messages)
        note = Note("episode", row.id, text, row.significance, at, row.conversation_key, row.type, messages=ids)
        put_note(session, space_key, replace(note, valid_from=at, known_from=at), row.created_at)


def note_summaries(session: Session, scope: Mapping[str, Json]) -> None:
    """Updates the notes of a conversation's summaries: only those that are completed and not replaced are found."""
    space_key, conversation_key = scope["space_key"], scope["conversation_key"]
    keys = {"space_key": space_key, "conversation_key": conversation_key}
    remove_notes(session, space_key, "summary", [id for (id,) in session.fetch(SUMMARY_NOTES["stray"], keys)])
    for row in session.fetch(SUMMARY_NOTES["unnoted"], keys):
        at = moment(row.created_at)
        note = Note("summary", row.id, row.text, row.importance, at, conversation_key, row.kind)
        put_note(session, space_key, replace(note, valid_from=at, known_from=at), row.created_at)

"""Pins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from recollect.errors import ConflictError
from recollect.ids import microseconds
from recollect.models import Pin
from recollect.records import Note, PinMark, Revision
from recollect.stores import queries, rows
from recollect.stores.database import Database, Session
from recollect.stores.nouns import conversations, notes, spaces

SQL = queries.named("pins")


class Pins:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, space: str, conversation: str, pin: Pin) -> Pin:
        def work(session: Session) -> Pin:
            keys = conversations.keys_or_make(
                session, rows.fresh_conversation(space, conversation, None, pin.created_at)
            )
            _write(session, keys, pin)
            return pin

        return self._database.write(work, space)

    def make(self, space: str, conversation: str, pin: Pin, mark: str, *, most: int, seen: Revision) -> bool:
        def work(session: Session) -> bool:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None or spaces.revision(session, space) != seen:
                return False
            scope = {"conversation_key": keys[1]}
            if session.fetch(SQL["automatic"], scope)[0][0] >= most:
                return False
            if not session.changed(SQL["mark"], scope | {"mark": mark, "source_message_id": pin.source_message_id}):
                return False
            _write(session, keys, pin)
            return True

        return self._database.write(work, space)

    def marks(self, space: str, conversation: str) -> list[PinMark]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            found = [] if keys is None else session.fetch(SQL["marks"], {"conversation_key": keys[1]})
        return [PinMark(*row) for row in found]

    def keep_marks(self, space: str, conversation: str, marks: Sequence[PinMark]) -> None:
        def work(session: Session) -> None:
            keys = conversations.keys_of(session, space, conversation)
            if keys is not None:
                session.execute_each(SQL["mark"], [{"conversation_key": keys[1], **asdict(mark)} for mark in marks])

        self._database.write(work, space)

    def get(self, space: str, conversation: str, id: str) -> Pin | None:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None:
                return None
            scope = {"space_key": keys[0], "conversation_key": keys[1], "id": id}
            found = session.fetch(SQL["get"], scope)
        return rows.pin(found[0]) if found else None

    def within(self, space: str, conversation: str | None, limit: int) -> list[tuple[str, Pin]]:
        with self._database.read(space) as session:
            space_key = spaces.key_of(session, space)
            keys = None if conversation is None else conversations.keys_of(session, space, conversation)
            if space_key is None or (conversation is not None and keys is None):
                return []
            scope = {"space_key": space_key, "conversation_key": keys[1] if keys else None, "limit": limit}
            return [(row[7], rows.pin(row[:7])) for row in session.fetch(SQL["within"], scope)]

    def list(self, space: str, conversation: str, limit: int | None) -> list[Pin]:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None:
                return []
            scope = {"conversation_key": keys[1], "limit": -1 if limit is None else limit}
            return [rows.pin(row) for row in session.fetch(SQL["list"], scope)]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(session: Session) -> bool:
            keys = conversations.keys_of(session, space, conversation)
            if keys is None:
                return False
            scope = {"space_key": keys[0], "conversation_key": keys[1], "id": id}
            gone = bool(session.changed(SQL["delete"], scope))
            if gone:
                notes.remove(session, keys[0], "pin", [id])
            return gone

        return self._database.write(work, space)


def _write(session: Session, keys: tuple[int, int], pin: Pin) -> None:
    changed = session.changed(
        SQL["save"],
        {
            "space_key": keys[0],
            "conversation_key": keys[1],
            "id": pin.id,
            "content": pin.content,
            "importance": pin.importance,
            "type": pin.type,
            "source_message_id": pin.source_message_id,
            "created_at": microseconds(pin.created_at),
            "reason": pin.reason,
        },
    )
    if not changed:
        raise ConflictError(f"pin id {pin.id!r} is taken in another conversation", id=pin.id)
    notes.put(session, keys[0], _note(keys[1], pin), microseconds(pin.created_at))


def _note(conversation_key: int, pin: Pin) -> Note:
    return Note(
        "pin",
        pin.id,
        pin.content,
        pin.importance,
        pin.created_at,
        conversation_key,
        pin.type,
        valid_from=pin.created_at,
        known_from=pin.created_at,
        messages=() if pin.source_message_id is None else (pin.source_message_id,),
    )

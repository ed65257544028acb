"""Pins in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import apsw

from recollect.errors import ConflictError
from recollect.ids import microseconds
from recollect.models import Pin
from recollect.records import Note, PinMark, Revision
from recollect.stores import queries, rows
from recollect.stores.nouns import conversations, notes, spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "pins")


class SqlitePins:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, space: str, conversation: str, pin: Pin) -> Pin:
        def work(connection: apsw.Connection) -> Pin:
            keys = conversations.keys_or_make(
                connection, rows.fresh_conversation(space, conversation, None, pin.created_at)
            )
            _write(connection, keys, pin)
            return pin

        return self._database.write(work)

    def make(self, space: str, conversation: str, pin: Pin, mark: str, *, most: int, seen: Revision) -> bool:
        def work(connection: apsw.Connection) -> bool:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None or spaces.revision(connection, space) != seen:
                return False
            scope = {"conversation_key": keys[1]}
            if fetch(connection, SQL["automatic"], scope)[0][0] >= most:
                return False
            connection.execute(SQL["mark"], scope | {"mark": mark, "source_message_id": pin.source_message_id})
            if not connection.changes():
                return False
            _write(connection, keys, pin)
            return True

        return self._database.write(work)

    def marks(self, space: str, conversation: str) -> list[PinMark]:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            found = [] if keys is None else fetch(connection, SQL["marks"], {"conversation_key": keys[1]})
        return [PinMark(*row) for row in found]

    def keep_marks(self, space: str, conversation: str, marks: Sequence[PinMark]) -> None:
        def work(connection: apsw.Connection) -> None:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is not None:
                connection.executemany(SQL["mark"], [{"conversation_key": keys[1], **asdict(mark)} for mark in marks])

        self._database.write(work)

    def get(self, space: str, conversation: str, id: str) -> Pin | None:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None:
                return None
            scope = {"space_key": keys[0], "conversation_key": keys[1], "id": id}
            found = fetch(connection, SQL["get"], scope)
        return rows.pin(found[0]) if found else None

    def within(self, space: str, conversation: str | None, limit: int) -> list[tuple[str, Pin]]:
        with self._database.read() as connection:
            space_key = spaces.key_of(connection, space)
            keys = None if conversation is None else conversations.keys_of(connection, space, conversation)
            if space_key is None or (conversation is not None and keys is None):
                return []
            scope = {"space_key": space_key, "conversation_key": keys[1] if keys else None, "limit": limit}
            return [(row[7], rows.pin(row[:7])) for row in fetch(connection, SQL["within"], scope)]

    def list(self, space: str, conversation: str, limit: int | None) -> list[Pin]:
        with self._database.read() as connection:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None:
                return []
            scope = {"conversation_key": keys[1], "limit": -1 if limit is None else limit}
            return [rows.pin(row) for row in connection.execute(SQL["list"], scope)]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            keys = conversations.keys_of(connection, space, conversation)
            if keys is None:
                return False
            scope = {"space_key": keys[0], "conversation_key": keys[1], "id": id}
            connection.execute(SQL["delete"], scope)
            gone = bool(connection.changes())
            if gone:
                notes.remove(connection, keys[0], "pin", [id])
            return gone

        return self._database.write(work)


def _write(connection: apsw.Connection, keys: tuple[int, int], pin: Pin) -> None:
    connection.execute(
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
    if not connection.changes():
        raise ConflictError(f"pin id {pin.id!r} is taken in another conversation", id=pin.id)
    notes.put(connection, keys[0], _note(keys[1], pin), microseconds(pin.created_at))


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

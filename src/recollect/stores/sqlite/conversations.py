"""Conversations in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice

import apsw

from recollect.errors import NotFound, StateError
from recollect.ids import microseconds
from recollect.models import ConversationInfo, ConversationStatus, Json
from recollect.stores import queries, rows
from recollect.stores.sqlite import erase, spaces
from recollect.stores.sqlite.database import Database, fetch
from recollect.text import titles

SQL = queries.named("sqlite", "conversations")
NO_LIMIT = -1  # SQLite folds the case of ASCII only, so names are compared here


def keys_of(connection: apsw.Connection, space: str, conversation: str) -> tuple[int, int] | None:
    """The keys of a space and of a conversation in it."""
    found = fetch(connection, SQL["find"], {"space": space, "conversation": conversation})
    return (int(found[0][0]), int(found[0][1])) if found else None


def keys_or_make(connection: apsw.Connection, info: ConversationInfo) -> tuple[int, int]:
    keys = keys_of(connection, info.space, info.id)
    if keys is not None:
        return keys
    space_key = spaces.key_or_make(connection, info.space, info.created_at)
    connection.execute(SQL["make"], _columns(space_key, info))
    return space_key, connection.last_insert_rowid()


class SqliteConversations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, space: str, conversation: str) -> ConversationInfo | None:
        with self._database.read() as connection:
            return _get(connection, space, conversation)

    def list(
        self, space: str, limit: int, after: str | None, status: ConversationStatus | None, query: str | None = None
    ) -> list[ConversationInfo]:
        with self._database.read() as connection:
            keys = (0, 0) if after is None else keys_of(connection, space, after)
            if keys is None:
                raise NotFound(f"space {space!r} has no conversation {after!r} to go on after; start the list again")
            values = {"space": space, "after": keys[1], "status": status}
            if query is None:
                return [rows.conversation(row) for row in fetch(connection, SQL["list"], {**values, "limit": limit})]
            wanted = titles.words(query)
            with closing(connection.execute(SQL["list"], {**values, "limit": NO_LIMIT})) as found:
                named = (info for info in map(rows.conversation, found) if titles.has(wanted, info.id, info.title))
                return list(islice(named, limit))

    def start(self, info: ConversationInfo) -> ConversationInfo:
        def work(connection: apsw.Connection) -> ConversationInfo:
            keys_or_make(connection, info)
            return _get(connection, info.space, info.id) or info

        return self._database.write(work)

    def move(
        self, space: str, conversation: str, allowed: Sequence[ConversationStatus], change: Mapping[str, Json]
    ) -> ConversationInfo:
        def work(connection: apsw.Connection) -> ConversationInfo:
            info = _get(connection, space, conversation)
            keys = keys_of(connection, space, conversation)
            if info is None or keys is None:
                raise NotFound(f"space {space!r} has no conversation {conversation!r}; add a message first")
            if info.status not in allowed:
                raise StateError(
                    f"conversation {conversation!r} is {info.status}; this needs it {' or '.join(allowed)}",
                    status=info.status,
                )
            moved = replace(info, **change)
            connection.execute(SQL["save"], _columns(keys[0], moved))
            return moved

        return self._database.write(work)

    def delete(self, space: str, conversation: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            keys = keys_of(connection, space, conversation)
            if keys is None:
                return False
            erase.conversation(connection, *keys)
            return True

        return self._database.write(work)


def _get(connection: apsw.Connection, space: str, conversation: str) -> ConversationInfo | None:
    found = fetch(connection, SQL["get"], {"space": space, "conversation": conversation})
    return rows.conversation(found[0]) if found else None


def _columns(space_key: int, info: ConversationInfo) -> dict[str, Json]:
    return {
        "space_key": space_key,
        "conversation": info.id,
        "status": info.status,
        "title": info.title,
        "outcome": info.outcome,
        "model": info.model,
        "metadata": rows.json_or_none(info.metadata),
        "created_at": microseconds(info.created_at),
        "updated_at": microseconds(info.updated_at),
        "ended_at": None if info.ended_at is None else microseconds(info.ended_at),
        "muted": info.muted,
    }

"""Conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from recollect.errors import NotFound, StateError
from recollect.ids import microseconds
from recollect.models import ConversationInfo, ConversationStatus, Json
from recollect.stores import queries, rows
from recollect.stores.database import Database, Session
from recollect.stores.nouns import erase, spaces
from recollect.text import accept, titles

SQL = queries.named("conversations")
PAGE = 200  # conversations read at once where their names are compared


def keys_of(session: Session, space: str, conversation: str) -> tuple[int, int] | None:
    """The keys of a space and of a conversation in it."""
    found = session.fetch(SQL["find"], {"space": space, "conversation": conversation})
    return (int(found[0][0]), int(found[0][1])) if found else None


def keys_or_make(session: Session, info: ConversationInfo) -> tuple[int, int]:
    keys = keys_of(session, info.space, info.id)
    if keys is not None:
        return keys
    accept.new_place(info.id, "conversation")
    space_key = spaces.key_or_make(session, info.space, info.created_at)
    ((conversation_key,),) = session.fetch(SQL["make"], _columns(space_key, info))
    return space_key, int(conversation_key)


class Conversations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, space: str, conversation: str) -> ConversationInfo | None:
        with self._database.read(space) as session:
            return _get(session, space, conversation)

    def list(
        self, space: str, limit: int, after: str | None, status: ConversationStatus | None, query: str | None = None
    ) -> list[ConversationInfo]:
        with self._database.read(space) as session:
            keys = (0, 0) if after is None else keys_of(session, space, after)
            if keys is None:
                raise NotFound(f"space {space!r} has no conversation {after!r} to go on after; start the list again")
            values = {"space": space, "limit": limit, "after": keys[1], "status": status}
            if query is None:
                return [rows.conversation(row) for row in session.fetch(SQL["list"], values)]
            wanted = titles.words(query)  # databases fold the case of ASCII only, so names are compared here
            pages = _pages(session, values)
            return list(islice((info for info in pages if titles.has(wanted, info.id, info.title)), limit))

    def start(self, info: ConversationInfo) -> ConversationInfo:
        def work(session: Session) -> ConversationInfo:
            keys_or_make(session, info)
            return _get(session, info.space, info.id) or info

        return self._database.write(work, info.space)

    def move(
        self, space: str, conversation: str, allowed: Sequence[ConversationStatus], change: Mapping[str, Json]
    ) -> ConversationInfo:
        def work(session: Session) -> ConversationInfo:
            info = _get(session, space, conversation)
            keys = keys_of(session, space, conversation)
            if info is None or keys is None:
                raise NotFound(f"space {space!r} has no conversation {conversation!r}; add a message first")
            if info.status not in allowed:
                raise StateError(
                    f"conversation {conversation!r} is {info.status}; this needs it {' or '.join(allowed)}",
                    status=info.status,
                )
            moved = replace(info, **change)
            session.execute(SQL["save"], _columns(keys[0], moved))
            return moved

        return self._database.write(work, space)

    def delete(self, space: str, conversation: str) -> bool:
        def work(session: Session) -> bool:
            keys = keys_of(session, space, conversation)
            if keys is None:
                return False
            erase.conversation(session, *keys)
            return True

        return self._database.write(work, space)


def _pages(session: Session, values: dict[str, Json]) -> Iterator[ConversationInfo]:
    """All of them, a page at a time."""
    while page := session.fetch(SQL["list"], values | {"limit": PAGE}):
        yield from map(rows.conversation, page)
        values = values | {"after": (keys_of(session, values["space"], page[-1][0]) or (0, 0))[1]}


def _get(session: Session, space: str, conversation: str) -> ConversationInfo | None:
    found = session.fetch(SQL["get"], {"space": space, "conversation": conversation})
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

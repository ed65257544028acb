"""Conversations, and how far each distillation step has read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from aforesaid.errors import NotFound, StateError
from aforesaid.ids import microseconds
from aforesaid.models.conversation import ConversationInfo, ConversationStatus
from aforesaid.models.json import Json
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_or_none, to_columns
from aforesaid.storage.database import HasExpired, Row, Session, first, scalar
from aforesaid.storage.repositories import cascade, space_keys
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.space_keys import ConversationKeys, conversation_key, conversation_keys
from aforesaid.text import normalize, validate

SQL = queries.named("conversations")
PROGRESS = queries.named("progress")
PAGE = 200  # conversations that are read together when names are compared
NOTHING_READ = -1


class Conversations(Repository):
    def get(self, space: str, conversation: str) -> ConversationInfo | None:
        with self._database.read(space) as session:
            return _get(session, space, conversation)

    def list(
        self, space: str, limit: int, after: str | None, status: ConversationStatus | None, query: str | None = None
    ) -> list[ConversationInfo]:
        """Returns conversations in the order they were started. With a `query`, only those whose name and title
        contain all of its words."""
        with self._database.read(space) as session:
            start = 0 if after is None else conversation_key(session, space, after)
            if start is None:
                raise NotFound(f"space {space!r} has no conversation {after!r} to continue after; start the list again")
            values = {"space": space, "limit": limit, "after": start, "status": status}
            if query is None:
                return [_conversation_from_row(row) for row in session.fetch(SQL["list"], values)]
            words = normalize.query_words(query)  # databases fold the case of ASCII only, so names are compared here
            pages = _pages(session, values)
            return list(islice((info for info in pages if normalize.contains_words(words, info.id, info.title)), limit))

    @transaction()
    def start(self, session: Session, info: ConversationInfo) -> ConversationInfo:
        """Returns the stored conversation; writes `info` only if there is none yet."""
        keys_or_create(session, info)
        return _get(session, info.space, info.id) or info

    @transaction()
    def move(
        self,
        session: Session,
        space: str,
        conversation: str,
        allowed: Sequence[ConversationStatus],
        change: Mapping[str, Json],
    ) -> ConversationInfo:
        """Applies `change` if the status is one of `allowed`. Raises NotFound or StateError otherwise."""
        info = _get(session, space, conversation)
        keys = conversation_keys(session, space, conversation)
        if info is None or keys is None:
            raise NotFound(f"space {space!r} has no conversation {conversation!r}; add a message first")
        if info.status not in allowed:
            raise StateError(
                f"conversation {conversation!r} is {info.status}; this needs it {' or '.join(allowed)}",
                status=info.status,
            )
        moved = replace(info, **change)
        session.execute(SQL["save"], _columns(keys.space_key, moved))
        return moved

    @transaction()
    def expire(self, session: Session, space: str, conversation: str, at: datetime | None) -> None:
        """Sets when a conversation expires; None for never. The space's revision changes, for caches."""
        key = conversation_key(session, space, conversation)
        if key is not None:
            values = {"conversation_key": key, "expires_at": None if at is None else microseconds(at)}
            session.execute(SQL["expire"], values)

    @transaction()
    def delete(self, session: Session, space: str, conversation: str) -> bool:
        """Removes the conversation and everything derived from it, from every table and index."""
        keys = conversation_keys(session, space, conversation)
        if keys is not None:
            space_keys.refuse_if_held(session, space)
            cascade.delete_conversation(session, *keys)
        return keys is not None


def new_conversation(space: str, conversation: str, model: str | None, at: datetime) -> ConversationInfo:
    return ConversationInfo(conversation, space, "active", None, None, model, 0, 0, 0, at, at, None, {})


def keys_or_create(session: Session, info: ConversationInfo) -> ConversationKeys:
    """Raises HasExpired if the conversation has expired and is not erased yet."""
    for row in session.fetch(SQL["stored"], {"space": info.space, "conversation": info.id}):
        if row.expired:
            raise HasExpired(f"conversation {info.id!r}")
        return ConversationKeys(row.space_key, row.conversation_key)
    validate.new_container_name(info.id, "conversation")
    space_key = space_keys.key_or_create(session, info.space, info.created_at)
    return ConversationKeys(space_key, int(scalar(session.fetch(SQL["make"], _columns(space_key, info)))))


def _pages(session: Session, values: dict[str, Json]) -> Iterator[ConversationInfo]:
    """Yields all conversations, and reads a page at a time."""
    while page := [_conversation_from_row(row) for row in session.fetch(SQL["list"], values | {"limit": PAGE})]:
        yield from page
        values = values | {"after": conversation_key(session, values["space"], page[-1].id)}


def _get(session: Session, space: str, conversation: str) -> ConversationInfo | None:
    row = first(session.fetch(SQL["get"], {"space": space, "conversation": conversation}))
    return _conversation_from_row(row) if row else None


def _conversation_from_row(row: Row) -> ConversationInfo:
    return from_row(ConversationInfo, row, metadata=json.loads(row.metadata or "{}"))


def _columns(space_key: int, info: ConversationInfo) -> dict[str, Json]:
    return to_columns(info) | {"space_key": space_key, "metadata": json_or_none(info.metadata)}


class DistillProgress(Repository):
    """How far each distillation step has read a conversation."""

    def reached(self, space: str, conversation: str, step: str) -> int:
        """Returns the last seq that a step has read, or -1 if it has not started."""
        return self.all(space, conversation).get(step, NOTHING_READ)

    def all(self, space: str, conversation: str) -> Mapping[str, int]:
        rows = self._in_conversation(PROGRESS["all"], space, conversation, {})
        return {row.step: row.reached for row in rows if row.reached is not None}

    def advance(self, space: str, conversation: str, step: str, seq: int, seen: SpaceRevision) -> bool:
        """Never goes back. Returns False and writes nothing if a message was removed or edited since `seen`."""

        def work(session: Session) -> bool:
            key = conversation_key(session, space, conversation)
            if key is None or space_keys.revision(session, space) != seen:
                return False
            advance_progress(session, key, step, seq)
            return True

        return self._database.write(work, space, durable=False)

    @transaction()
    def begin(self, session: Session, space: str, step: str, *, past: bool) -> None:
        """Lets a step read all conversations again. Without `past`, it reads only messages that come later."""
        scope = {"space_key": session.key_of(space), "step": step}
        session.execute(PROGRESS["read_again"], scope)
        if not past:
            session.execute(PROGRESS["read_up_to"], scope)


def advance_progress(session: Session, conversation_key: int, step: str, seq: int) -> None:
    """Records that a step has read every message up to `seq`. Never goes back."""
    session.execute(PROGRESS["advance"], {"conversation_key": conversation_key, "step": step, "reached": seq})

"""Conversations, and how far each distillation step has read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from aforesaid.errors import ConflictError, NotFound, StateError
from aforesaid.ids import microseconds
from aforesaid.models.conversation import ConversationInfo, ConversationStatus, LineSize
from aforesaid.models.json import Json
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_or_none, to_columns
from aforesaid.storage.database import HasExpired, Row, Session, first, scalar
from aforesaid.storage.repositories import cascade, space_keys
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.storage.repositories.space_keys import (
    ConversationKeys,
    conversation_key,
    conversation_keys,
    conversation_line,
    forked_at,
)
from aforesaid.text import normalize, validate

SQL = queries.named("conversations")
FORGET = queries.named("forget")
MESSAGES = queries.named("messages")
PROGRESS = queries.named("progress")
PAGE = 200  # conversations that are read together when names are compared
NOTHING_READ = -1
NAMED = 5  # branches in an error
BRANCH_MARK = "~"  # between the name of a conversation and the number of its branch
_NUMBERED = re.compile(rf"{BRANCH_MARK}\d+$")


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
    def fork(
        self, session: Session, new: ConversationInfo, parent: str, at: int | str | None, name: str | None
    ) -> ConversationInfo:
        """Makes a branch of `parent` at a message: its id, its seq, or None for the newest one. What else it has is in
        `new`. Without a name, it gets the next free one. Raises NotFound if there is no such message, ConflictError if
        the name is taken; the same branch is returned."""
        origin = _get(session, new.space, parent)
        if origin is None:
            raise NotFound(f"space {new.space!r} has no conversation {parent!r} to fork; add a message first")
        seq = _fork_seq(session, new.space, parent, at)
        id = name or _free_name(session, new.space, parent)
        if name is not None and (known := _get(session, new.space, name)) is not None:
            if (known.parent, known.forked_at) == (parent, seq):
                return known
            raise ConflictError(f"conversation id {name!r} is taken; choose another one", id=name)
        branch = replace(new, id=id, parent=parent, forked_at=seq, title=origin.title, model=origin.model)
        branch = replace(branch, metadata=origin.metadata, muted=origin.muted)
        keys_or_create(session, branch)
        return branch

    def branches(self, space: str, conversation: str) -> Sequence[ConversationInfo]:
        """Returns the branches that were forked from this conversation, in the order they were made."""
        rows = self._in_conversation(SQL["branches"], space, conversation, {})
        return [_conversation_from_row(row) for row in rows]

    def size(self, space: str, conversation: str) -> LineSize | None:
        """Returns what the conversation sees; None if there is no such conversation. Reads no messages of its own."""
        with self._database.read(space) as session:
            row = first(session.fetch(SQL["size"], {"space": space, "conversation": conversation}))
            if row is None:
                return None
            messages, tokens = row.messages, row.tokens
            for segment in conversation_line(session, space, conversation)[:-1] if row.parent_key is not None else ():
                scope = {"space_key": session.key_of(space), **segment._asdict()}
                for part in session.fetch(SQL["shared"], scope):
                    messages, tokens = messages + part.messages, tokens + int(part.tokens)
        return LineSize(messages, tokens, bool(row.muted))

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
        """Removes the conversation and everything derived from it, from every table and index. Raises
        ConflictError if it has branches."""
        keys = conversation_keys(session, space, conversation)
        if keys is not None:
            _refuse_with_branches(session, keys, conversation)
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
    origin = {"parent_key": None, "forked_at": info.forked_at, "next_seq": 0}
    if info.parent is not None and info.forked_at is not None:
        origin |= {"parent_key": _parent_key(session, info), "next_seq": info.forked_at + 1}
    keys = ConversationKeys(space_key, int(scalar(session.fetch(SQL["make"], _columns(space_key, info) | origin))))
    if origin["next_seq"]:
        gap = {"conversation_key": keys.conversation_key, "first_seq": 0, "last_seq": info.forked_at}
        session.execute(FORGET["gap"], gap)
    return keys


def _parent_key(session: Session, info: ConversationInfo) -> int:
    key = None if info.parent is None else conversation_key(session, info.space, info.parent)
    if key is None:
        raise NotFound(f"conversation {info.id!r} is a branch of {info.parent!r}, which space {info.space!r} lacks")
    return key


def _fork_seq(session: Session, space: str, conversation: str, at: int | str | None) -> int:
    """The last seq that a new branch shares; -1 for none."""
    line = space_keys.conversation_line(session, space, conversation)
    if isinstance(at, str):
        row = first(session.fetch(MESSAGES["by_id"], {"space_key": session.key_of(space), "id": at}))
        if row is None or not space_keys.on_line(line, row.conversation, row.seq):
            raise NotFound(f"conversation {conversation!r} has no message {at!r} to fork at")
        return int(row.seq)
    newest = -1
    for segment in reversed(line):
        rows = session.fetch(MESSAGES["recent"], {"limit": 1, "skip": 0, **segment._asdict()})
        if rows:
            newest = int(rows[0].seq)
            break
    if at is not None and at > newest:
        raise NotFound(f"conversation {conversation!r} has no message with seq {at} to fork at; its last is {newest}")
    return newest if at is None else at


def _free_name(session: Session, space: str, conversation: str) -> str:
    """The name of the next branch: that of the conversation with a number from 2 on, as in `trip~2`."""
    trunk = _NUMBERED.sub("", conversation)
    after = f"{trunk}{BRANCH_MARK}"
    scope = {"space_key": session.key_of(space), "first": after, "last": trunk + chr(ord(BRANCH_MARK) + 1)}
    suffixes = (id.removeprefix(after) for (id,) in session.fetch(SQL["named_like"], scope))
    taken = (int(suffix) for suffix in suffixes if suffix.isascii() and suffix.isdecimal())
    return f"{after}{max(taken, default=1) + 1}"


def _refuse_with_branches(session: Session, keys: ConversationKeys, conversation: str) -> None:
    names = [row.id for row in session.fetch(SQL["children"], keys._asdict())]
    if names:
        some = ", ".join(map(repr, names[:NAMED])) + (f" and {len(names) - NAMED} more" if names[NAMED:] else "")
        raise ConflictError(
            f"conversation {conversation!r} has branches that share its messages: {some}. Delete them first, or erase "
            "its messages from all branches with space.forget(conversation=…)",
            id=conversation,
        )


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
    """The parent of a conversation never changes with its state."""
    origin = {"parent_key": None, "forked_at": None, "next_seq": 0}
    stored = to_columns(info, "parent", "last_message_at")
    return stored | origin | {"space_key": space_key, "metadata": json_or_none(info.metadata)}


class DistillProgress(Repository):
    """How far each distillation step has read a conversation."""

    def reached(self, space: str, conversation: str, step: str) -> int:
        """Returns the last seq that a step has read. If it has not started, returns -1; in a branch, the last seq that
        is shared, because the parent is distilled for itself."""
        reached = self.all(space, conversation).get(step)
        if reached is not None:
            return reached
        with self._database.read(space) as session:
            shared = forked_at(session, space, conversation)
        return NOTHING_READ if shared is None else shared

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

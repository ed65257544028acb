"""The keys of a space and of its conversations, inside the caller's transaction."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from aforesaid.errors import NotFound, OnHold
from aforesaid.ids import microseconds
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import moment
from aforesaid.storage.database import Row, Session, first, scalar
from aforesaid.text import validate

SQL = queries.named("spaces")
CONVERSATIONS = queries.named("conversations")
MESSAGES = queries.named("messages")
RETENTION = queries.named("retention")
NO_END = 2**62  # greater than any seq and any time


class ConversationKeys(NamedTuple):
    space_key: int
    conversation_key: int


class Segment(NamedTuple):
    """The part of a line in one conversation: its messages up to `last_seq`, and what was added to it until `until`,
    in microseconds."""

    conversation_key: int
    conversation: str
    last_seq: int = NO_END
    until: int = NO_END


Line = tuple[
    Segment, ...
]  # what a conversation shares with its ancestors, oldest first, and its own messages at the end


def conversation_keys(session: Session, space: str, conversation: str) -> ConversationKeys | None:
    row = _found(session, space, conversation)
    return None if row is None else ConversationKeys(row.space_key, row.conversation_key)


def forked_at(session: Session, space: str, conversation: str) -> int | None:
    """The last seq that a branch shares with its parent; None for a conversation without a parent."""
    row = _found(session, space, conversation)
    return None if row is None else row.forked_at


def conversation_line(session: Session, space: str, conversation: str) -> Line:
    """The line of a conversation. It is empty if there is no such conversation, and has one segment if the conversation
    is no branch. An ancestor that has expired is left out."""
    row = _found(session, space, conversation)
    if row is None:
        return ()
    if row.parent_key is None:
        return (Segment(row.conversation_key, conversation),)
    return line_of(session, ConversationKeys(row.space_key, row.conversation_key))


def line_of(session: Session, keys: ConversationKeys) -> Line:
    rows = session.lookup(CONVERSATIONS["line"], keys._asdict() | {"no_end": NO_END})
    return tuple(Segment(*row) for row in rows)


def on_line(line: Line, conversation: str, seq: int) -> bool:
    """Returns True if a message is on the line."""
    return any(segment.conversation == conversation and seq <= segment.last_seq for segment in line)


def messages_between(session: Session, keys: ConversationKeys, first_seq: int, last_seq: int) -> list[int]:
    """The keys of the messages of a conversation's line from one seq to another."""
    found: list[int] = []
    for segment in line_of(session, keys):
        span = {"conversation_key": segment.conversation_key, "first_seq": first_seq}
        span |= {"space_key": keys.space_key, "last_seq": min(last_seq, segment.last_seq)}
        found += [int(row.message_key) for row in session.fetch(MESSAGES["in_range"], span)]
    return found


def _found(session: Session, space: str, conversation: str) -> Row | None:
    row = first(session.lookup(CONVERSATIONS["find"], {"space": space, "conversation": conversation}))
    if row is not None:
        session.cache_lookup(SQL["key"], {"space": space}, [row])
    return row


def conversation_key(session: Session, space: str, conversation: str) -> int | None:
    keys = conversation_keys(session, space, conversation)
    return keys.conversation_key if keys else None


def key_or_create(session: Session, space: str, at: datetime) -> int:
    key = session.key_of(space)
    return create(session, space, at) if key is None else key


def create(session: Session, space: str, at: datetime) -> int:
    values = {"space": validate.new_container_name(space, "space"), "at": microseconds(at)}
    return int(scalar(session.fetch(SQL["make"], values)))


def require_key(session: Session, space: str) -> int:
    key = session.key_of(space)
    if key is None:
        raise NotFound(f"there is no space {space!r}; it was just deleted")
    return key


def refuse_if_held(session: Session, space: str) -> None:
    """Raises OnHold if the space is on hold. Call it before anything is erased."""
    for hold in session.fetch(RETENTION["hold"], {"space": space}):
        raise OnHold(
            f"space {space!r} is on hold since {moment(hold.at).isoformat()} ({hold.reason}); nothing in it is erased "
            "until space.release_hold()",
            reason=hold.reason,
        )


def revision(session: Session, space: str) -> SpaceRevision | None:
    row = first(session.fetch(SQL["revision"], {"space": space}))
    return (row.space_key, row.revision) if row else None

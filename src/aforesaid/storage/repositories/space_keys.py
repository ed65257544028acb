"""The keys of a space and of its conversations, inside the caller's transaction."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from aforesaid.errors import NotFound, OnHold
from aforesaid.ids import microseconds
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import moment
from aforesaid.storage.database import Session, first, scalar
from aforesaid.text import validate

SQL = queries.named("spaces")
CONVERSATIONS = queries.named("conversations")
RETENTION = queries.named("retention")


class ConversationKeys(NamedTuple):
    space_key: int
    conversation_key: int


def conversation_keys(session: Session, space: str, conversation: str) -> ConversationKeys | None:
    row = first(session.lookup(CONVERSATIONS["find"], {"space": space, "conversation": conversation}))
    if row is None:
        return None
    session.cache_lookup(SQL["key"], {"space": space}, [row])
    return ConversationKeys(*row)


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

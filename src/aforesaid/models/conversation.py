"""The state of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.json import Json
from aforesaid.models.value import Value

ConversationStatus = Literal["active", "paused", "ended"]
CONVERSATION_STATES: tuple[ConversationStatus, ...] = get_args(ConversationStatus)


@dataclass(frozen=True, slots=True)
class ConversationInfo(Value):
    """The state of a conversation. `turns` are user messages; `muted`: neither recalled elsewhere nor distilled. At
    `expires_at` it disappears, with all of its messages. `last_message_at` is when its newest message was said.

    A branch shares the messages of its `parent` up to the seq `forked_at`. Its counts are those of its own messages."""

    id: str
    space: str
    status: ConversationStatus
    title: str | None
    outcome: str | None
    model: str | None
    messages: int
    turns: int
    tokens: int
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    metadata: dict[str, Json]
    muted: bool = False
    expires_at: datetime | None = None
    parent: str | None = None
    forked_at: int | None = None
    last_message_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LineSize:
    """The messages and tokens that a conversation sees: its own, and those that it shares with its parents."""

    messages: int
    tokens: int
    muted: bool

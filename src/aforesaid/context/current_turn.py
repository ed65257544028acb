"""Splits the end of a conversation into the message to answer, the messages before it, and the tool calls after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aforesaid.context.quote import is_external
from aforesaid.context.stable_history import InvalidMessage, MessageGroup, flatten, group_messages
from aforesaid.context.turn import ChatTurn, to_turn
from aforesaid.models.message import Message
from aforesaid.models.value import Value


@dataclass(frozen=True, slots=True)
class NewestMessage(Value):
    """The message to answer. `message` is None if it is not stored yet."""

    text: str
    message: Message | None = None

    @property
    def turn(self) -> ChatTurn:
        return ChatTurn("user", self.text) if self.message is None else to_turn(self.message)


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """The end of a conversation: `past`, the newest message, and `live`, the tool calls since. `lead` are the system
    messages at the start, and all imported system messages, which are ignored."""

    past: tuple[MessageGroup, ...] = ()
    newest: NewestMessage | None = None
    live: tuple[MessageGroup, ...] = ()
    invalid_messages: tuple[InvalidMessage, ...] = ()
    lead: tuple[Message, ...] = ()

    @property
    def question(self) -> str | None:
        return self.newest.text if self.newest and self.newest.text.strip() else None

    @property
    def seqs(self) -> frozenset[int]:
        """Those of the newest message and of the tool calls since."""
        newest = [self.newest.message] if self.newest and self.newest.message else []
        return frozenset(message.seq for message in (*newest, *flatten(self.live)))


def current_turn(messages: Sequence[Message], query: str | None, lead: Sequence[Message] = ()) -> CurrentTurn:
    """Splits the end of a conversation. Messages of `lead` and imported system messages are not in the past."""
    known = {message.id for message in lead}
    imported = (message for message in messages if message.role == "system" and is_external(message))
    lead = (*lead, *(message for message in imported if message.id not in known))
    opening = {message.id for message in lead}
    rest = [message for message in messages if message.id not in opening]
    newest, at = _newest(rest, query)
    past, before = group_messages(rest[:at])
    live, since = group_messages(rest[at + 1 :] if newest and newest.message else ())
    return CurrentTurn(past, newest, live, before + since, lead)


def _newest(messages: Sequence[Message], query: str | None) -> tuple[NewestMessage | None, int]:
    """The message to answer, and the number of messages before it."""
    if query is not None:
        if messages and messages[-1].role == "user" and messages[-1].text == query:
            return NewestMessage(query, messages[-1]), len(messages) - 1
        return NewestMessage(query), len(messages)
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role == "user":
            return NewestMessage(messages[at].text, messages[at]), at
    return None, len(messages)

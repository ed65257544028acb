"""Who is being answered, what came before it, and what has come since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.context.groups import Fault, Group, group
from recollect.context.trust import foreign
from recollect.context.turn import Turn, turn
from recollect.models import Message


@dataclass(frozen=True, slots=True)
class Newest:
    """The message being answered. `message` is None where it is not stored yet."""

    text: str
    message: Message | None = None

    @property
    def turn(self) -> Turn:
        return Turn("user", self.text) if self.message is None else turn(self.message)


@dataclass(frozen=True, slots=True)
class Scene:
    """A conversation's end: `past`, then the newest message, then `live` (an agent's calls since, in a tool loop).

    `lead` are the system messages with which the conversation begins: they belong to the system text. Those that were
    imported stand with them, wherever they stood: nobody heeds them.
    """

    past: tuple[Group, ...] = ()
    newest: Newest | None = None
    live: tuple[Group, ...] = ()
    faults: tuple[Fault, ...] = ()
    lead: tuple[Message, ...] = ()

    @property
    def question(self) -> str | None:
        return self.newest.text if self.newest and self.newest.text.strip() else None


def scene(messages: Sequence[Message], query: str | None, lead: Sequence[Message] = ()) -> Scene:
    """Takes the end of a conversation apart. What stands in `lead` is not in the past again, nor is an imported system
    message."""
    known = {message.id for message in lead}
    lead = (*lead, *(one for one in messages if one.role == "system" and foreign(one) and one.id not in known))
    opening = {message.id for message in lead}
    said = [message for message in messages if message.id not in opening]
    newest, at = _newest(said, query)
    past, before = group(said[:at])
    live, since = group(said[at + 1 :] if newest and newest.message else ())
    return Scene(past, newest, live, before + since, lead)


def _newest(messages: Sequence[Message], query: str | None) -> tuple[Newest | None, int]:
    """The message being answered, and how many messages come before it."""
    if query is not None:
        if messages and messages[-1].role == "user" and messages[-1].text == query:
            return Newest(query, messages[-1]), len(messages) - 1
        return Newest(query), len(messages)
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role == "user":
            return Newest(messages[at].text, messages[at]), at
    return None, len(messages)

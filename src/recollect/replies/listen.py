"""From bytes to a reply, whatever the wire."""

from __future__ import annotations

from typing import Literal, Protocol

from recollect.models import Json
from recollect.replies import chat, messages, responses
from recollect.replies.chat import ChatReading
from recollect.replies.messages import MessagesReading
from recollect.replies.reply import Reply
from recollect.replies.responses import ResponsesReading
from recollect.replies.sse import Event, Events
from recollect.replies.values import whole

Wire = Literal["chat", "responses", "messages"]


class Reading(Protocol):
    """Follows the events of one answer. Nothing that they say makes it raise."""

    def feed(self, event: Event) -> str: ...
    @property
    def over(self) -> bool:
        """Whether the event that comes last was heard. Not every service has one."""

    def reply(self) -> Reply: ...


class Listening:
    """Hears a streamed answer."""

    def __init__(self, wire: Wire) -> None:
        self._events = Events()
        self._reading = reading(wire)
        self._half = ""  # of a character

    def feed(self, piece: bytes) -> str:
        """The words that these bytes complete."""
        said = self._half + "".join(self._reading.feed(event) for event in self._events.feed(piece))
        self._half = said[-1:] if "\ud800" <= said[-1:] <= "\udbff" else ""
        return whole([said.removesuffix(self._half)])

    @property
    def over(self) -> bool:
        """Whether nothing more is to come, though the connection be open."""
        return self._reading.over

    def end(self) -> Reply:
        """What was said, when no more bytes come."""
        for event in self._events.end():
            self._reading.feed(event)
        return self._reading.reply()


def reading(wire: Wire) -> Reading:
    if wire == "chat":
        return ChatReading()
    return ResponsesReading() if wire == "responses" else MessagesReading()


def read(wire: Wire, body: Json) -> Reply:
    """The reply in a body that was not streamed."""
    if wire == "chat":
        return chat.read(body)
    return responses.read(body) if wire == "responses" else messages.read(body)

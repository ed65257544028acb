"""Conversations with questions about them, as a benchmark has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from recollect import Memory

MessageRecord = Mapping[str, str]  # what `Conversation.add_many` takes


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of a space, and its messages in order."""

    id: str
    messages: Sequence[MessageRecord]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a space. `gold` are the ids of the messages that answer it."""

    text: str
    kind: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Haystack:
    """A space: what was said in it, and what is asked about it at the moment `now`."""

    space: str
    sessions: Sequence[Session]
    questions: Sequence[Question]
    now: datetime | None = None

    def messages(self) -> Iterator[MessageRecord]:
        for session in self.sessions:
            yield from session.messages

    def session_of(self) -> dict[str, str]:
        """Each message's conversation."""
        return {message["id"]: session.id for session in self.sessions for message in session.messages}


class Standing:
    """A clock that stands where it was set: "last week" in a question means the week before it was asked."""

    def __init__(self, now: datetime | None = None) -> None:
        self.set(now)

    def __call__(self) -> datetime:
        return self._now

    def set(self, now: datetime | None) -> None:
        """None sets it to the present."""
        self._now = now or datetime.now(UTC)


def fill(memory: Memory, haystack: Haystack) -> None:
    """Puts a haystack into a store and waits until it can be searched by meaning too."""
    space = memory.space(haystack.space)
    for session in haystack.sessions:
        space.conversation(session.id).add_many(session.messages)
    memory.flush(timeout=600)


def line(message: MessageRecord) -> str:
    """A message as a prompt made by hand shows it: who spoke, and what was said."""
    return f"{message['name']}: {message['content']}" if "name" in message else message["content"]

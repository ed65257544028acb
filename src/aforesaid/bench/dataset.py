"""The shape of a retrieval dataset: sessions, messages, and questions with the messages that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from aforesaid import Memory

MessageRecord = Mapping[str, str]  # what `Conversation.add_many` takes


@dataclass(frozen=True, slots=True)
class DatasetSession:
    """One conversation of a space, and its messages in order."""

    id: str
    messages: Sequence[MessageRecord]


@dataclass(frozen=True, slots=True)
class DatasetQuestion:
    """A question to a space. `gold` are the ids of the messages that answer it."""

    text: str
    kind: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Haystack:
    """A space: its messages, and the questions that are asked about it at the time `now`."""

    space: str
    sessions: Sequence[DatasetSession]
    questions: Sequence[DatasetQuestion]
    now: datetime | None = None

    def messages(self) -> Iterator[MessageRecord]:
        for session in self.sessions:
            yield from session.messages

    def session_of(self) -> dict[str, str]:
        """Each message's conversation."""
        return {message["id"]: session.id for session in self.sessions for message in session.messages}


class FixedClock:
    """A clock with a fixed time: "last week" in a question means the week before it was asked."""

    def __init__(self, now: datetime | None = None) -> None:
        self.set(now)

    def __call__(self) -> datetime:
        return self._now

    def set(self, now: datetime | None) -> None:
        """None sets it to the present."""
        self._now = now or datetime.now(UTC)


def load_haystack(memory: Memory, haystack: Haystack) -> None:
    """Stores a haystack, and waits until its vectors are made."""
    space = memory.space(haystack.space)
    for session in haystack.sessions:
        space.conversation(session.id).add_many(session.messages)
    memory.flush(timeout=600)


def prompt_line(message: MessageRecord) -> str:
    """A message as a line of a prompt: the speaker and the text."""
    return f"{message['name']}: {message['content']}" if "name" in message else message["content"]

"""The shape of a retrieval dataset: sessions, messages, and questions with the messages that answer them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from aforesaid import Memory
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json

MessageRecord = Mapping[str, str]  # an argument of `Conversation.add_many`
DatasetRecord = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class DatasetSession:
    """One conversation of a space, and its messages in order."""

    id: str
    messages: Sequence[MessageRecord]


@dataclass(frozen=True, slots=True)
class DatasetQuestion:
    """A question to a space. `gold` are the ids of the messages that answer it; `answer` is empty if it has none."""

    text: str
    kind: str
    gold: frozenset[str]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Haystack:
    """A space: its sessions, and the questions about it, which are asked at the time `now`."""

    space: str
    sessions: Sequence[DatasetSession]
    questions: Sequence[DatasetQuestion]
    now: datetime | None = None

    def messages(self) -> Iterator[MessageRecord]:
        for session in self.sessions:
            yield from session.messages

    def session_of(self) -> dict[str, str]:
        """The session of each message."""
        return {message["id"]: session.id for session in self.sessions for message in session.messages}


class FixedClock:
    """A clock with a fixed time, so that "last week" in a question means the week before the question."""

    def __init__(self, now: datetime | None = None) -> None:
        self.set(now)

    def __call__(self) -> datetime:
        return self._now

    def set(self, now: datetime | None) -> None:
        """None sets it to the present."""
        self._now = now or datetime.now(UTC)


def load_records(path: Path, name: str, *fields: str) -> list[DatasetRecord]:
    """The records of a benchmark's JSON file, which may be compressed. The first of their `fields` is required."""
    try:
        records = json.loads(read_file(path))
    except (OSError, ValueError, EOFError) as exc:
        raise InvalidInput(f"{path} cannot be read as {name}'s JSON file: {exc}") from exc
    if records and isinstance(records, list) and all(isinstance(one, dict) and fields[0] in one for one in records):
        return records
    named = " and ".join(map(repr, fields))
    raise InvalidInput(f"{path} is not {name}: it should be a list of objects with {named}")


def read_file(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def parse_date(text: str, format: str) -> datetime | None:
    """The time in UTC; None if the text has another format."""
    try:
        return datetime.strptime(text, format).replace(tzinfo=UTC)
    except ValueError:
        return None


def load_haystack(memory: Memory, haystack: Haystack) -> None:
    """Stores a haystack, and waits until its vectors are made."""
    space = memory.space(haystack.space)
    for session in haystack.sessions:
        space.conversation(session.id).add_many(session.messages)
    memory.flush(timeout=600)


def prompt_line(message: MessageRecord) -> str:
    """A message as a line of a prompt: the speaker and the text."""
    return f"{message['name']}: {message['content']}" if "name" in message else message["content"]

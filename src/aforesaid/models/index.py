"""Values that a search reads: columns of messages and notes, postings, similarities, vectors and their inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

NoteKind = Literal["pin", "summary", "fact", "episode"]
NOTE_KINDS: tuple[NoteKind, ...] = ("pin", "summary", "fact", "episode")


@dataclass(frozen=True, slots=True, eq=False)
class Directory:
    """Every message of a space that can be found, as columns in the order they came in. A message's row is its
    *position*; `previous` and `following` are its neighbours' positions, or the number of rows where there is none.

    A *session* is a stretch of one conversation without a long pause. `firsts` are the store's keys of the messages'
    first chunks; `places` gives the position for each such key, −1 where the directory does not know it.
    """

    messages: NDArray[np.int64]
    conversations: NDArray[np.int64]
    seqs: NDArray[np.int64]
    moments: NDArray[np.int64]
    importances: NDArray[np.float32]
    roles: NDArray[np.int8]
    speakers: NDArray[np.int32]
    tokens: NDArray[np.int64]
    lengths: NDArray[np.float32]
    chunks: NDArray[np.int64]
    firsts: NDArray[np.int64]
    names: tuple[str, ...]
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    sessions: NDArray[np.int64]
    places: Callable[[NDArray[np.int64]], NDArray[np.int64]]

    def __len__(self) -> int:
        return len(self.messages)


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The chunks that have a term: their keys, how often they have it, and how many terms they have in all."""

    chunks: NDArray[np.int64]
    frequencies: NDArray[np.float64]
    lengths: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """How similar chunks are to a question. Where not all were compared, the others have `rest` at most."""

    chunks: NDArray[np.int64]
    scores: NDArray[np.float32]
    rest: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class VectorQuery:
    """How many messages of a space are wanted, and among which; None: among all. All by their keys.

    `around` gives those that say something about the ones in `among`, which are in it too; `beside` those that others
    have found, and that are to be compared in any case.
    """

    most: int
    among: NDArray[np.int64] | None
    around: Callable[[], NDArray[np.int64]]
    beside: Callable[[], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class EmbeddingInput:
    """A stretch of text that wants a vector: chunk number `part` of a message, by the store's own keys."""

    message: int
    part: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class MessageText:
    """What a message says, by the store's own key, and when it was said, in its own offset."""

    message: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ChunkVector:
    """A vector and what it belongs to: chunk number `part` of a message, or (−1) the message as a whole."""

    message: int
    part: int
    vector: NDArray[np.float32]


# What recall finds beside messages.


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be found beside messages: `kind` and `id` name the record that it stands for, `text` is what is
    searched and shown.

    `conversation` is the store's key of the one it belongs to, None where it is its space's. `at` is when it was said
    or made. `type` is the kind of a fact, the type of an episode, a pin or a summary. It is true from `valid_from` and
    known from `known_from` on, up to the two others; None: open. Before `closed_at` it was not known that it would be
    over. `current` is false for what only comes up when a
    question is asked as of an earlier time: what was superseded. `messages` are the ids of those that say it, where it
    is told in other words: what it was made from is found by it.
    """

    kind: NoteKind
    id: str
    text: str
    importance: float
    at: datetime
    conversation: int | None = None
    type: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    known_from: datetime | None = None
    known_until: datetime | None = None
    closed_at: datetime | None = None
    current: bool = True
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class NoteDirectory:
    """Every note of a space, as columns in the order they came in: `keys` rise. `kinds` are numbers in NOTE_KINDS,
    `types` in `names`; `conversations` are 0 for what is its space's. Open ends of a time are the least and the
    greatest number. A note that has gone since may still be in it."""

    names: tuple[str, ...]
    keys: NDArray[np.int64]
    kinds: NDArray[np.int8]
    conversations: NDArray[np.int64]
    moments: NDArray[np.int64]
    importances: NDArray[np.float64]
    types: NDArray[np.int32]
    valid_from: NDArray[np.int64]
    valid_until: NDArray[np.int64]
    known_from: NDArray[np.int64]
    known_until: NDArray[np.int64]
    closed_at: NDArray[np.int64]
    current: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.keys)

    def places(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The positions of notes, and which of them are in it at all."""
        if len(keys) == len(self.keys) and np.array_equal(keys, self.keys):
            return np.arange(len(keys)), np.ones(len(keys), bool)
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), bool)
        first, span = self.keys[0], int(self.keys[-1] - self.keys[0]) + 1
        if len(keys) * 16 < len(self.keys) or span > 16 * len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        else:  # many at once: a table is faster than halving
            table = np.zeros(span, np.int64)
            table[self.keys - first] = np.arange(len(self.keys))
            at = table[np.clip(keys - first, 0, span - 1)]
        return at, self.keys[at] == keys


@dataclass(frozen=True, slots=True)
class NoteMatch:
    """A note as it is found: `conversation` is an id, empty for what is its space's."""

    kind: NoteKind
    id: str
    text: str
    importance: float
    at: datetime
    type: str
    messages: tuple[str, ...]
    conversation: str

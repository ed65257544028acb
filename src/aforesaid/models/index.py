"""Values that a search reads: columns of messages and notes, postings, similarities, vectors and their inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

NoteKind = Literal["pin", "summary", "fact", "episode", "item"]
NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


@dataclass(frozen=True, slots=True, eq=False)
class Directory:
    """The columns of all searchable messages of a space, in the order of their keys. The row of a message is its
    *position*. `previous` and `following` are the positions of its neighbours, or the number of rows.

    A *session* is a part of one conversation without a long pause. `firsts` are the keys of the first chunks; `places`
    returns the position for each such key, −1 if it is unknown. For `hidden` messages it is unknown too.
    """

    messages: NDArray[np.int64]
    conversations: NDArray[np.int64]
    seqs: NDArray[np.int64]
    moments: NDArray[np.int64]
    importances: NDArray[np.float32]
    saliences: NDArray[np.float32]
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
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.messages)


@dataclass(frozen=True, slots=True, eq=False)
class ExpiredKeys:
    """The keys of messages and notes that have expired and are not erased yet."""

    messages: NDArray[np.int64]
    notes: NDArray[np.int64]


NOTHING_EXPIRED = ExpiredKeys(np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The chunks that contain a term: their keys, the frequencies of the term, and their lengths in terms."""

    chunks: NDArray[np.int64]
    frequencies: NDArray[np.float64]
    lengths: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """The similarities of chunks to a question. If not all chunks were compared, the others have at most `rest`."""

    chunks: NDArray[np.int64]
    scores: NDArray[np.float32]
    rest: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class VectorQuery:
    """The number of messages to return, and the keys to search among; None for all. `around` returns the keys of
    `among` and of their neighbours. `beside` returns the keys that other searches found; they are always compared."""

    most: int
    among: NDArray[np.int64] | None
    around: Callable[[], NDArray[np.int64]]
    beside: Callable[[], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class MetadataCondition:
    """A condition on one field of the metadata of messages or of conversations. `exists` ignores the value."""

    record: Literal["message", "conversation"]
    field: str
    operator: Literal["eq", "gt", "gte", "lt", "lte", "exists"]
    value: str | float | bool | None = None


@dataclass(frozen=True, slots=True)
class EmbeddingInput:
    """A text to embed: chunk number `part` of a message, by the key of the message."""

    message: int
    part: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class MessageText:
    """The text of a message, by its key. `at` has the author's UTC offset."""

    message: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ChunkVector:
    """The vector of chunk number `part` of a message, or (−1) of the whole message."""

    message: int
    part: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Note:
    """The index entry of a pin, a fact, an episode, a summary or an item: `kind` and `id` name the record, `text` is
    searched and shown. The `type` of an item's note is its namespace, as it is stored.

    `conversation` is the key of its conversation; None if it belongs to the space. `type` is the kind of a fact, or the
    type of the record. It is valid from `valid_from` to `valid_until`, and known from `known_from` to `known_until`;
    None is an open end. `closed_at` is when `valid_until` became known. `current` is False for a superseded fact, which
    only a query about the past finds. `messages` are the ids of the source messages, so that the note finds them.
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
    """The columns of the notes of a space, by key; some can be deleted. `kinds` are indexes in NOTE_KINDS, `types` in
    `names`. `conversations` are 0 for notes of the space. Open ends of a time are the least and the greatest number."""

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
        """The positions of notes, and a mask of the keys that are present."""
        if len(keys) == len(self.keys) and np.array_equal(keys, self.keys):
            return np.arange(len(keys)), np.ones(len(keys), bool)
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), bool)
        first, span = self.keys[0], int(self.keys[-1] - self.keys[0]) + 1
        if len(keys) * 16 < len(self.keys) or span > 16 * len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        else:  # for many keys, a table is faster than a binary search
            table = np.zeros(span, np.int64)
            table[self.keys - first] = np.arange(len(self.keys))
            at = table[np.clip(keys - first, 0, span - 1)]
        return at, self.keys[at] == keys


@dataclass(frozen=True, slots=True)
class NoteMatch:
    """A note that matches a query. `conversation` is an id; empty if the note belongs to the space."""

    kind: NoteKind
    id: str
    text: str
    importance: float
    at: datetime
    type: str
    messages: tuple[str, ...]
    conversation: str

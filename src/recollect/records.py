"""What the parts hand to each other and to a store: frozen, typed, without behaviour, and never shown to a caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.models import (
    AuditEntry,
    ChunkKind,
    Consolidation,
    Episode,
    ErasureTarget,
    Fact,
    FactKind,
    FactMethod,
    FactStatus,
    Json,
    NoteKind,
    ProfileSource,
    Relation,
    Retrieval,
    Role,
)

# What retrieval hands to the ledger, and the ledger to a store.


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A retrieval, and the ids of the messages and facts that it handed out: each of them was accessed once."""

    retrieval: Retrieval
    messages: tuple[str, ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """A context's receipt as it is kept: `body` is JSON that only its maker understands."""

    id: str
    space: str
    conversation: str
    at: datetime
    body: str


Entry = Retrieved | StoredReceipt | AuditEntry


# What a profile's verbs hand to a store.


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """One row of a profile's history: what a field is from `since` on, or (None) that it is gone. The field without a
    name is the free text."""

    name: str
    value: str | int | float | bool | None
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    known_from: datetime


# What ingest hands to a store, and a store to the worker.


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it is stored: where it lies in the text, and the terms to index it under."""

    kind: ChunkKind
    language: str | None
    start: int
    stop: int
    tokens: int
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message before it is stored.

    `text` is the words of `content`. `named` says that the caller chose the id, so it may be stored already.
    `indexed` is false for what full-text search must never find. `jobs` are the kinds of work that it asks for.
    `created_at` is in UTC, `utc_offset` how many seconds east of it the message was said.
    `seq` is set only when a record is put back where it was.
    """

    id: str
    role: Role
    content: str | list[dict[str, Json]]
    text: str
    name: str | None
    tool_calls: list[dict[str, Json]] | None
    tool_call_id: str | None
    model: str | None
    importance: float
    tokens: int
    created_at: datetime
    metadata: dict[str, Json]
    chunks: tuple[ChunkDraft, ...]
    named: bool = True
    indexed: bool = True
    utc_offset: int = 0
    jobs: tuple[str, ...] = ()
    seq: int | None = None


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
class Sought:
    """How many messages of a space are wanted, and among which; None: among all. All by their keys.

    `around` gives those that say something about the ones in `among`, which are in it too; `beside` those that others
    have found, and that are to be compared in any case.
    """

    most: int
    among: NDArray[np.int64] | None
    around: Callable[[], NDArray[np.int64]]
    beside: Callable[[], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that wants a vector: chunk number `part` of a message, by the store's own keys."""

    message: int
    part: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a message says, by the store's own key, and when it was said, in its own offset."""

    message: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector and what it belongs to: chunk number `part` of a message, or (−1) the message as a whole."""

    message: int
    part: int
    vector: NDArray[np.float32]


# What distilling hands on.


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a message says and that may be worth keeping.

    `subject` is `user` for the one who speaks, else who or what it is about, in lower case; `attribute` names the slot
    that `value` fills ("home", "employer"), None where there is no such slot. `text` can be read by itself. `quote`
    are the message's own words, from `start` on.
    """

    kind: FactKind
    subject: str
    attribute: str | None
    value: str | None
    text: str
    quote: str
    start: int
    confidence: float
    category: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Weakness:
    """What is weak: not asked for since `before`, and importance times decay under `least`."""

    before: datetime
    least: float
    half_life: timedelta
    per_access: float
    most_from_accesses: float


Stamp: TypeAlias = tuple[int, int]  # a store's: another one as soon as anything was committed
Revision: TypeAlias = tuple[int, int]  # a space's key, and how often its messages have left or were changed


@dataclass(frozen=True, slots=True)
class LastCopy:
    """How a space was when it was last copied into a store, by kind of record; None: that was begun and not ended."""

    digests: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as distilling reads it: what was said, by whom, and when, in its own offset."""

    id: str
    seq: int
    role: Role
    speaker: str
    text: str
    at: datetime
    model: str | None
    tokens: int


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
class FoundNote:
    """A note as it is found: `conversation` is an id, empty for what is its space's."""

    kind: NoteKind
    id: str
    text: str
    importance: float
    at: datetime
    type: str
    messages: tuple[str, ...]
    conversation: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The words of a message that say a fact, and how they say it: `text` and `value` are the claim's own. Without a
    quote, the message's beginning stands for it: somebody named it by hand as the source."""

    message_id: str
    quote: str | None
    text: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """Words that another program has noted about the user: `quote` stands in the message `source`, `text` can be read
    by itself."""

    text: str
    quote: str
    source: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim with what proves it: None where somebody says so by hand. `speaker` is the name of who said it."""

    claim: Claim
    method: FactMethod
    said_at: datetime
    proof: Proof | None
    model: str | None = None
    importance: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Closing:
    """The fact `closed` was ended by the fact `by`, at a moment; and how it stood before."""

    closed: str
    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class Topic:
    """What a change of facts is about: those with these ids, in this slot, in words like these, said by a message.
    `named` is the same under the speaker's name, where the user may be somebody else."""

    ids: tuple[str, ...] = ()
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    text: str | None = None
    message_id: str | None = None
    named: Topic | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """The facts that a topic may concern, the newest first, with what ended them and what they ended. `proven` are the
    ids of those that the topic's message says already. `user` is the first name by which somebody has said what is held
    of the user; it is looked up for a topic that has a speaker's name."""

    facts: tuple[Fact, ...]
    closings: tuple[Closing, ...] = ()
    proven: frozenset[str] = frozenset()
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What to write: facts as they are to be, what proves them, relations, what was closed and what is open again."""

    facts: tuple[Fact, ...] = ()
    proofs: tuple[tuple[str, Proof], ...] = ()
    relations: tuple[Relation, ...] = ()
    unrelated: tuple[Relation, ...] = ()
    closed: tuple[Closing, ...] = ()
    reopened: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts are asked for. With `held`, those that were held true at `known_at`, whatever became of them."""

    status: FactStatus | None = None
    kind: FactKind | None = None
    category: str | None = None
    tag: str | None = None
    subject: str | None = None
    held: bool = False
    not_over: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PinMark:
    """That something was pinned automatically once: a digest of its words, and the message that they are from."""

    mark: str
    source_message_id: str | None


# What forgetting is asked for.


@dataclass(frozen=True, slots=True)
class Forget:
    """One thing to forget: a message, a conversation or a fact by `id`, all messages from before a moment, or
    everything. `erasure` is the id of its record. `marks` are of what an edited message still says: what was pinned of
    that, and removed, stays known."""

    target: ErasureTarget
    erasure: str
    at: datetime
    id: str | None = None
    before: datetime | None = None
    marks: tuple[str, ...] = ()


# What moves with a space.


@dataclass(frozen=True, slots=True)
class Ended:
    """That the fact `by` ended a fact, how that stood before and after, and when it was taken back."""

    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None
    closed_until: datetime | None
    corrected: bool
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeptFact:
    """A fact with all of its evidence, all that ever ended it, and its relations to others."""

    fact: Fact
    proofs: tuple[Proof, ...]
    ended: tuple[Ended, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """The ids of what something was made from."""

    messages: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptEpisode:
    """An episode, and the one that it was merged into."""

    episode: Episode
    merged_into: str | None


@dataclass(frozen=True, slots=True)
class KeptStep:
    """How a record stood before a consolidation archived it, or merged it `into` another. `copied` are the messages
    whose words were copied there; of an episode, the seqs from which to which the other one told before."""

    record: Literal["fact", "episode"]
    id: str
    status: str
    known_until: datetime | None
    into: str | None
    copied: tuple[str, ...] | tuple[int, int]


@dataclass(frozen=True, slots=True)
class KeptConsolidation:
    report: Consolidation
    steps: tuple[KeptStep, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """Background work that came to its end, well or not."""

    at: datetime
    milliseconds: float | None
    well: bool


@dataclass(frozen=True, slots=True)
class Allotment:
    """So many calls that a principal wants to make of the `most` that it may make in `seconds`."""

    principal: str
    most: int
    seconds: float
    wanted: int
    at: datetime

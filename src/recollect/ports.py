"""What recollect asks of the world: someone who counts, someone who embeds, somewhere to rest.

A store answers or raises; it never turns a failure into an empty answer. Each write method is one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recollect.models import (
    Access,
    AuditAction,
    AuditEntry,
    Backup,
    Changes,
    Chunk,
    Consent,
    Consolidation,
    ConversationInfo,
    ConversationStatus,
    Cost,
    Episode,
    EpisodeType,
    Erasure,
    Fact,
    Finding,
    Job,
    Json,
    Key,
    Message,
    Pin,
    Profile,
    Relation,
    RelationKind,
    Retrieval,
    Revocation,
    SpaceInfo,
    Spent,
    Stats,
    Status,
    Summary,
    SummaryKind,
    SummaryStatus,
    Timings,
    Verification,
    When,
)
from recollect.records import (
    Allotment,
    Change,
    Directory,
    Embedded,
    Entry,
    FactFilter,
    Forget,
    FoundNote,
    KeptConsolidation,
    KeptEpisode,
    KeptFact,
    LastCopy,
    MessageDraft,
    NoteDirectory,
    Passage,
    PinMark,
    Postings,
    ProfileChange,
    Revision,
    Seen,
    Similarities,
    Sought,
    Sources,
    Spoken,
    Stamp,
    StoredReceipt,
    Topic,
    Utterance,
    Weakness,
    Worked,
)

Clock = Callable[[], datetime]
Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]  # done, total
Made = Literal["summary", "episode"]


class Tokenizer(Protocol):
    """Counts tokens. `name` is stored with what was counted."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to ask: `system` says how to answer, `text` what to answer to. `schema` is the JSON schema of the answer,
    None for plain text. No answer is longer than `max_tokens`, with what a model thinks aloud before it."""

    system: str
    text: str
    max_tokens: int
    schema: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, and the tokens it took; None where it does not say. `cut`: it had more to say than
    `max_tokens`."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: bool = False


class Embedder(Protocol):
    """Turns texts into vectors, one row each, in order. Raises ProviderError when it cannot answer now.

    `name` identifies the model: vectors of different names are never compared.
    """

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class LanguageModel(Protocol):
    """Someone who thinks for us. `name` is `provider:model`; `local` says that no word leaves this machine.

    Raises ProviderError when it cannot answer now, ProviderRefused when it never will. May be asked by several threads
    at once.
    """

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    def complete(self, prompt: Prompt) -> Completion: ...


class Talk(Protocol):
    """A conversation that is to be gone on with, in the shape of either kind of chat API."""

    def to_openai(self) -> list[dict[str, Json]]: ...
    def to_anthropic(self, *, cache: bool = False) -> dict[str, Json]: ...


class Speech(Protocol):
    """An answer as it comes: its pieces, in order. What goes wrong is raised after those that came before it."""

    def __iter__(self) -> Iterator[str]: ...
    def __next__(self) -> str: ...
    def close(self) -> None:
        """Ends it at once, from any thread: there are no more pieces, and it was not brought to its end."""

    @property
    def completion(self) -> Completion | None:
        """The whole of it, once it was brought to its end."""


@runtime_checkable
class Speaker(LanguageModel, Protocol):
    """A language model that can be heard while it speaks. No answer is longer than `max_tokens`."""

    def speak(self, talk: Talk, max_tokens: int) -> Speech: ...


class Spaces(Protocol):
    def start(self, space: str, at: datetime) -> None:
        """Makes the space where there is none yet."""

    def list(self, limit: int, after: str | None) -> list[SpaceInfo]: ...
    def get(self, space: str) -> SpaceInfo | None: ...
    def delete(self, space: str) -> bool: ...
    def revision(self, space: str) -> Revision | None:
        """Another one whenever a message has left the space or was changed; never the same again. Read it before the
        messages that something is made from; None for a space that is not there."""


class Conversations(Protocol):
    def get(self, space: str, conversation: str) -> ConversationInfo | None: ...
    def list(
        self, space: str, limit: int, after: str | None, status: ConversationStatus | None, query: str | None = None
    ) -> list[ConversationInfo]:
        """In the order they were started; with a `query`, those whose name and title have all of its words."""

    def start(self, info: ConversationInfo) -> ConversationInfo:
        """The stored conversation; `info` is written only when there is none yet."""

    def move(
        self, space: str, conversation: str, allowed: Sequence[ConversationStatus], change: Mapping[str, Json]
    ) -> ConversationInfo:
        """Applies `change` when the status is one of `allowed`; NotFound or StateError otherwise."""

    def delete(self, space: str, conversation: str) -> bool:
        """Removes the conversation and all that came from it, from every table and index."""


class Outdated(Exception):
    """What messages were made by is not so any more; nothing of them was stored."""


class Messages(Protocol):
    def append(
        self,
        space: str,
        conversation: str,
        drafts: Sequence[MessageDraft],
        at: datetime,
        under: Mapping[str, Json] | None = None,
    ) -> list[Message]:
        """All drafts or none, with chunks, index rows and jobs. A draft whose id is stored with equal
        content gives back the stored message; with other content it raises ConflictError. `under`: the space's
        preferences that the drafts were made by; Outdated where they are others by now."""

    def get(self, space: str, conversation: str, id: str) -> Message | None: ...
    def known(self, space: str, ids: Sequence[str]) -> Mapping[str, Message]:
        """Those of the space that have one of these ids, in whatever conversation."""

    def recent(self, space: str, conversation: str, limit: int, skip_newest: int) -> list[Message]:
        """The last messages, oldest first. Answered from memory while nothing has been written."""

    def page(self, space: str, conversation: str, limit: int, after: int | None, before: int | None) -> list[Message]:
        """Oldest first: from `after` on, or the last ones before `before`."""

    def utterances(self, space: str, conversation: str, after: int, limit: int) -> list[Utterance]:
        """The messages after a seq that have words, oldest first; system messages are left out."""

    def model_before(self, space: str, conversation: str, seq: int) -> str | None:
        """The model that a message before this seq named last."""

    def models(self, space: str, conversation: str, last: int) -> Sequence[str]:
        """The models that messages up to a seq have named, the latest last."""

    def rechunk(self, space: str, drafts: Sequence[MessageDraft], at: datetime) -> None:
        """Replaces the chunks of stored messages, with their index rows and vectors."""

    def weigh(
        self, space: str, conversation: str, ids: Sequence[str], importance: Callable[[str, str], float]
    ) -> list[Message]:
        """Gives messages the importance that a function says of their role and words, in one transaction. Gives them
        as they were; those that are gone are left out."""

    def chunks(self, space: str, conversation: str, id: str) -> list[Chunk]: ...
    def texts(self, space: str, keys: Sequence[int]) -> Mapping[int, str]:
        """The words of messages, by the keys that the directory has."""

    def by_chunk(self, space: str, chunks: Sequence[int]) -> Mapping[int, tuple[Message, Chunk]]: ...
    def drafts(self, space: str) -> Iterator[tuple[str, MessageDraft]]:
        """Every message of the space with its conversation and its chunks (without their terms), as they came in."""

    def restore(
        self, space: str, drafts: Sequence[tuple[str, MessageDraft]], read: Mapping[str, Mapping[str, int]]
    ) -> None:
        """As `append`, for messages of several conversations that are put back at their own seqs. `read` says how far
        the steps of distilling had read each conversation: of these messages, none is read again up to there."""


class Reached(Protocol):
    """How far each step of distilling has read a conversation."""

    def reached(self, space: str, conversation: str, step: str) -> int:
        """The seq up to which a step has read; −1 where it has not begun."""

    def all(self, space: str, conversation: str) -> Mapping[str, int]: ...
    def advance(self, space: str, conversation: str, step: str, seq: int, seen: Revision) -> bool:
        """Never goes back. Refuses, and says so, where a message has left or was changed since `seen`: a step that is
        to read again what it has read is not taken past it."""


class Directories(Protocol):
    def get(self, space: str) -> Directory | None:
        """The space's directory as it is now; None for a space that nobody has written to."""

    def key(self, space: str, conversation: str) -> int | None:
        """What the directory calls a conversation."""

    def muted(self, space: str) -> frozenset[int]:
        """What the directory calls the conversations that are muted."""

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> frozenset[int]:
        """The keys of the messages whose metadata has one of the categories and one of the tags."""


class Pins(Protocol):
    def save(self, space: str, conversation: str, pin: Pin) -> Pin: ...
    def get(self, space: str, conversation: str, id: str) -> Pin | None: ...
    def within(self, space: str, conversation: str | None, limit: int) -> Sequence[tuple[str, Pin]]:
        """The newest pins of a space or of one conversation, each with its conversation."""

    def list(self, space: str, conversation: str, limit: int | None) -> list[Pin]: ...
    def delete(self, space: str, conversation: str, id: str) -> bool: ...
    def make(self, space: str, conversation: str, pin: Pin, mark: str, *, most: int, seen: Revision) -> bool:
        """Pins automatically: not what has this mark already, though it be removed or changed since, nor more than
        `most` in a conversation, nor where a message has left or was changed since `seen`. Says whether it did."""

    def marks(self, space: str, conversation: str) -> Sequence[PinMark]: ...
    def keep_marks(self, space: str, conversation: str, marks: Sequence[PinMark]) -> None: ...


class Profiles(Protocol):
    """Profiles and consent. Each write is one transaction with its entry in the audit: both are stored, or neither."""

    def consent(self, space: str) -> Consent: ...
    def grant(self, consent: Consent, entry: AuditEntry) -> Consent:
        """The consent as it is now; one that was given already stays as it was."""

    def revoke(self, entry: AuditEntry) -> Revocation:
        """Erases the profile and its history, and every trace of them in the store's files."""

    def get(self, space: str, as_of: datetime, known_at: datetime) -> Profile:
        """What was true at one moment as it was known at another; empty without consent."""

    def add(self, changes: Sequence[ProfileChange], entry: AuditEntry) -> None:
        """ConsentNeeded without consent."""

    def erase(self, names: Sequence[str], entry: AuditEntry) -> int:
        """Removes fields with their history, and every trace of them; says how many entries went."""

    def history(self, space: str) -> list[ProfileChange]:
        """Every change, by field, the oldest first; nothing without consent."""


class Audit(Protocol):
    def list(
        self, space: str, since: datetime | None, action: AuditAction | None, limit: int, after: str | None = None
    ) -> list[AuditEntry]:
        """The newest first, from behind `after`, which is NotFound where it is no entry."""

    def restore(self, entries: Sequence[AuditEntry]) -> None:
        """Puts entries of another store down; what is there already stays as it is."""


class Lexical(Protocol):
    def postings(self, space: str, terms: Sequence[str]) -> list[Postings]:
        """Where each term occurs in the space. A term that ends in `*` matches by prefix."""

    def having(self, space: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        """The chunks of the space that have each term."""

    def index(self, claimed: Sequence[Job]) -> None:
        """Writes the full-text rows of messages that could not be indexed when they came in."""


class VectorIndex(Protocol):
    """Vectors by model. One model serves; another may be built beside it, and takes over when it is complete."""

    def serving(self, space: str | None = None) -> str | None:
        """The model that questions are embedded by, the same in every space; asked together with `space`'s own."""

    def building(self) -> str | None: ...
    def adopt(self, name: str, at: datetime) -> None:
        """Makes `name` the wanted model: serving at once in a store without one, else built beside the old."""

    @property
    def indexes(self) -> bool:
        """Whether `index` can do anything here."""
        ...

    def similarity(self, space: str, model: str, query: Vectors, sought: Sought | None = None) -> Similarities:
        """The exact cosine similarity of every chunk of the space; of a large space that has an index, and where it is
        said what is sought, of the most similar ones. A long message's own vector stands for its first chunk, so a
        chunk may come twice."""

    def passages(self, claimed: Sequence[Job]) -> list[Passage]:
        """The texts that these embed jobs are about."""

    def put(
        self, model: str, vectors: Sequence[Embedded], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Writes vectors and ends their jobs together; what belongs to a job that was taken over is left out."""

    def unbuilt(self, model: str, limit: int) -> tuple[int, list[Passage]]:
        """How far the building of a model has come, and the texts of the next messages."""

    def build(self, model: str, reached: int, vectors: Sequence[Embedded]) -> None:
        """Writes vectors of a model that is being built, unless another worker was faster."""

    def switch(self, model: str, at: datetime) -> bool:
        """Serves `model` from now on, atomically, if no message lacks its vectors."""

    def sweep(self, limit: int) -> int:
        """Removes about `limit` vectors of retired models; says how many rows went."""

    def index(self, job: Job) -> bool:
        """A step towards the index of a large space; says whether there is more to do."""

    def prune(self, before: datetime) -> int:
        """Drops the indexes of spaces that are gone, however long; says how many."""


class Notes(Protocol):
    """What is found beside messages. Whoever stores a pin, a summary or a fact puts its note with it."""

    def directory(self, space: str) -> NoteDirectory: ...
    def having(self, space: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        """The keys of the notes that have each term; none for a term that tens of thousands have. A term that ends in
        `*` matches by prefix."""

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> NDArray[np.int64]:
        """The keys of the notes that have one of the categories and one of the tags, of which at least one is asked."""

    def similarity(self, space: str, model: str, query: Vectors) -> Similarities:
        """The exact cosine similarity of every note that has a vector of the model, by the notes' keys."""

    def get(self, space: str, keys: Sequence[int]) -> Mapping[int, FoundNote]:
        """Those of these notes that are still there."""

    def passages(self, claimed: Sequence[Job]) -> list[Passage]:
        """The texts of the notes that these jobs are about, by the notes' keys."""

    def put(
        self, model: str, vectors: Sequence[Embedded], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Writes vectors and ends their jobs together; what belongs to a job that was taken over is left out."""

    def unbuilt(self, model: str, limit: int) -> list[Passage]:
        """The next notes that have no vector of a model that is being built."""

    def build(self, model: str, vectors: Sequence[Embedded]) -> None:
        """Writes vectors of a model that is being built."""


class Mentions(Protocol):
    """What messages say about time."""

    def texts(self, claimed: Sequence[Job]) -> list[Spoken]:
        """The messages that these jobs are about; those that are gone are left out."""

    def put(
        self, whens: Mapping[int, Sequence[When]], claimed: Sequence[Job], milliseconds: float, at: datetime
    ) -> None:
        """Writes the mentions of messages, in place of any they had, and ends their jobs together; what belongs to a
        job that was taken over is left out."""

    def of_messages(self, space: str, ids: Sequence[str]) -> Mapping[str, tuple[When, ...]]:
        """The mentions of each of these messages, in the order of its text."""

    def within(self, space: str, start: datetime, stop: datetime) -> frozenset[int]:
        """The keys of the messages that speak of a time in this span."""


class Jobs(Protocol):
    """The outbox. A job belongs to its worker until its lease is over; a late answer of an old worker is void."""

    def claim(self, worker: str, kinds: Sequence[str], at: datetime, until: datetime, limit: int) -> list[Job]:
        """Takes due jobs of the first of these kinds that has any, oldest first: running ones whose lease is over, else
        queued ones. What is being worked on is not begun a second time."""

    def queue(self, kind: str, space: str, conversation: str, at: datetime) -> bool:
        """Queues work on a conversation, unless it is queued already; False where there is no such conversation."""

    def finish(self, jobs: Sequence[Job], milliseconds: float, at: datetime, error: str | None = None) -> None:
        """`error`: why they could not do their work, and left it to the next of their kind."""

    def again(self, jobs: Sequence[Job], due: datetime) -> None:
        """Puts jobs back that did a part of their work and have more to do."""

    def retry(self, jobs: Sequence[Job], error: str, due: datetime) -> None: ...
    def fail(self, jobs: Sequence[Job], error: str, at: datetime) -> None: ...
    def open(self, kinds: Sequence[str]) -> int: ...
    def last_error(self) -> str | None: ...
    def ended(self, kind: str, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[Worked]:
        """What was done from `since` on and before `until`, for a space or for all."""

    def list(self, state: str | None, limit: int) -> list[Job]: ...
    def prune(self, before: datetime) -> int: ...


class Preferences(Protocol):
    def all(self, space: str) -> Mapping[str, Json]: ...
    def seen(self, space: str) -> Mapping[str, Json] | None:
        """As they were when this process last looked; None where it never did, or where looking costs nothing."""

    def set(self, space: str, name: str, value: Json, at: datetime) -> None: ...
    def unset(self, space: str, name: str) -> bool: ...


class Book(Protocol):
    """What retrievals leave behind."""

    def write(self, batch: Sequence[Entry]) -> None:
        """All of the batch, in one transaction; what is stored already is not counted again.

        What belongs to a space that is not there, and the access of a message that is gone, is left out; so is,
        with a word in the log, what the tables refuse.
        """

    def prune(self, before: datetime) -> int:
        """Removes the retrievals and receipts from before a moment; says how many went. Accesses stay."""


class Accesses(Protocol):
    def of(self, space: str, message_ids: Sequence[str]) -> Mapping[str, Access]:
        """The accesses of these messages; one that was never handed out has none."""

    def counts(self, space: str, keys: Sequence[int]) -> Mapping[int, int]:
        """How often each of these messages was handed out, by the keys that the directory has."""

    def all(self, space: str) -> Iterator[Access]: ...
    def restore(self, space: str, accesses: Sequence[Access]) -> None:
        """Puts accesses back where there are none yet."""


class Retrievals(Protocol):
    def list(self, space: str | None, since: datetime | None, until: datetime | None, limit: int) -> list[Retrieval]:
        """From `since` on and before `until`, the newest first, of one space or of all."""


class SpaceStats(Protocol):
    def of(self, space: str) -> Stats:
        """Nothing but zeros for a space that nobody has written to."""


class Receipts(Protocol):
    def get(self, id: str) -> StoredReceipt | None: ...
    def list(self, space: str, conversation: str | None, limit: int) -> list[StoredReceipt]:
        """The newest first, of a space or of one conversation in it."""


class Costs(Protocol):
    """What calls of language models took: one row a call, before and after."""

    def reserve(self, cost: Cost, since: datetime, cap: int | None) -> None:
        """Writes what a call may take at most, before it is made. CapReached, and nothing written, where that and
        all that was spent from `since` on come to more than `cap`; whoever asks at once waits for its turn."""

    def settle(self, cost: Cost) -> None:
        """Writes what the call took in place of what was reserved for it."""

    def spent(self, since: datetime) -> int:
        """Tokens from `since` on, of the whole store, with what is reserved."""

    def totals(self, space: str | None, since: datetime | None, until: datetime | None) -> list[Spent]:
        """By model and operation, from `since` on and before `until`: of one space, or of all and of those gone."""


class Summaries(Protocol):
    def save(self, summary: Summary) -> Summary:
        """Writes a summary, or writes it anew. NotFound where its conversation is gone; ConflictError where the
        conversation has another rolling summary that is being made, or the id is another conversation's."""

    def get(self, space: str, conversation: str, id: str) -> Summary | None: ...
    def list(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> list[Summary]:
        """The last `limit` by the messages that they reach, the earliest first."""

    def latest(self, space: str, conversation: str, kind: SummaryKind) -> Summary | None:
        """The completed summary that reaches the furthest; the newest of those."""

    def begin(self, summary: Summary, stuck: datetime | None) -> None:
        """Writes that a summary is being made, and from what, before it is. NotFound where its conversation, or
        the summary that it goes on from, is gone.

        Others of its kind that are being made of any of its messages: those begun at `stuck` or before fail, a later
        one raises ConflictError. With None nobody is asked, which is for segments only.
        """

    def end(self, summary: Summary) -> bool:
        """Writes what came of a summary that is being made. False, and nothing is written, where it is no longer: it
        was taken over, or withdrawn, or its conversation deleted. It takes the place of a segment of the same range."""

    def merge(self, summary: Summary, ids: Sequence[str]) -> bool:
        """Writes a completed segment that takes the place of others; False, and nothing is written, where one of these
        no longer stands."""

    def standing(
        self, space: str, conversation: str, kind: SummaryKind | None, status: SummaryStatus | None, limit: int | None
    ) -> Sequence[Summary]:
        """As `list`, without those that another one has taken the place of."""

    def ranges(self, space: str, conversation: str, after: int) -> Sequence[tuple[int, int]]:
        """First and last seq of every segment that stands and ends after a seq, by where they begin."""

    def chain(self, space: str, conversation: str, id: str, limit: int) -> Sequence[Summary]:
        """A summary, the one that it goes on from, and so on."""

    def timings(self, space: str, conversation: str, kind: SummaryKind) -> Timings: ...
    def ended(self, space: str | None, since: datetime, until: datetime, limit: int) -> Sequence[Worked]:
        """Summaries completed or failed of those begun from `since` on and before `until`, in a space or in all."""

    def delete(self, space: str, conversation: str, id: str) -> bool:
        """Removes a summary; what it had taken the place of stands again."""


class Facts(Protocol):
    """Facts with their evidence, and how they bear on each other."""

    def change(
        self, space: str, topic: Topic, decide: Callable[[Seen], Change], at: datetime, *, durable: bool = True
    ) -> Change:
        """Looks at the facts that a topic may concern, decides, and writes what was decided, all in one transaction.
        Makes the space where there is none yet. What can be found again in the log need not be durable.

        The evidence gate: a fact that was not made by hand is refused without a user's message that has its quote,
        word for word. InvalidInput for a quote that is not there, NotFound for a message that is not.
        """

    def get(self, space: str, id: str) -> Fact | None: ...
    def named(self, space: str, ids: Sequence[str]) -> Mapping[str, Fact]:
        """Those of these facts that are there, by id."""

    def list(self, space: str, wanted: FactFilter, limit: int, after: str | None) -> list[Fact]:
        """In the order they were noted, from behind `after`, which is NotFound where it is no fact."""

    def review(self, space: str, limit: int) -> Sequence[Fact]:
        """What waits for somebody to decide: the pending, and those that contradict each other; the newest first."""

    def relations(self, space: str, id: str | None, limit: int) -> Sequence[Relation]:
        """Of a fact, in either direction, or of the space; the newest first."""

    def unrelate(self, space: str, source: str, kind: RelationKind, target: str) -> bool: ...
    def touch(self, space: str, ids: Sequence[str], at: datetime) -> None:
        """Counts an access of each fact that is still there. Does not wait for the disk."""


class Episodes(Protocol):
    def save(self, episode: Episode) -> Episode:
        """Writes an episode, or writes it anew, with the messages it was made from. NotFound where its conversation is
        gone; ConflictError where the id is another conversation's."""

    def keep(self, episode: Episode, seen: Revision) -> bool:
        """As `save`, but writes nothing where a message has left or was changed since `seen`, nor where the
        conversation is gone. Says whether it did."""

    def get(self, space: str, conversation: str, id: str) -> Episode | None: ...
    def list(
        self, space: str, conversation: str, type: EpisodeType | None, least: float, limit: int | None
    ) -> Sequence[Episode]:
        """In the order of the conversation: those of at least this significance."""

    def within(self, space: str, type: EpisodeType | None, least: float, limit: int) -> Sequence[Episode]:
        """Those of a space, the newest first."""

    def reaching(self, space: str, conversation: str, seq: int) -> Sequence[Episode]:
        """Those that go on to this seq, or beyond."""

    def delete(self, space: str, conversation: str, id: str) -> bool:
        """Removes an episode. Its range of messages is kept among the `removed` ones."""

    def removed(self, space: str, conversation: str) -> Sequence[tuple[int, int]]:
        """Where an episode was removed: from which seq to which."""

    def keep_removed(self, space: str, conversation: str, ranges: Sequence[tuple[int, int]]) -> None: ...


class Consolidations(Protocol):
    """Nothing is deleted, and what was done is done in one transaction."""

    def plan(self, space: str, weakness: Weakness, at: datetime) -> Consolidation:
        """What would be done. Nothing is written."""

    def run(self, space: str, weakness: Weakness, id: str, at: datetime) -> Consolidation: ...
    def undo(self, space: str, at: datetime, place: Callable[[Seen, str], Change]) -> Consolidation:
        """Takes the last one back, but for what somebody has decided about since. `place` says what becomes of a fact
        that finds another in its slot. NotFound where there is none."""

    def list(self, space: str, limit: int) -> list[Consolidation]:
        """The newest first."""


class Feed(Protocol):
    """What has changed, noted by the store in the transaction that changes it, whoever does so."""

    def read(self, space: str, conversation: str | None, after: int | None, limit: int) -> Changes:
        """What came after a cursor, the oldest first; None: the cursor of now. With a conversation also that one of
        the space went, since it is not said which."""

    def prune(self, before: datetime) -> int:
        """Keeps of each space what came since a moment, and no more than so many; says how many went."""

    @property
    def rings(self) -> bool:
        """Whether other processes' commits are heard of, so that waiting for them costs nothing."""
        ...

    def wait(self, seen: Stamp | None, seconds: float) -> Stamp:
        """The store's stamp as soon as it differs from `seen`, or after so many seconds: at once where this process
        commits, within a tenth of a second where another does."""


class Copies(Protocol):
    """How spaces were when they were last copied here."""

    def last(self, space: str) -> LastCopy | None:
        """None for a space that was never copied here."""

    def begin(self, space: str, at: datetime, cursor: int | None, *, anew: bool) -> None:
        """Notes that a space is being copied, and makes it: `anew` where there is one. `cursor` is that of its last
        change (None: there is no such space); ConflictError where it has another one by now."""

    def end(self, space: str, digests: Mapping[str, str]) -> None:
        """Notes how it is now."""


class Erasures(Protocol):
    """Forgetting. Each erasure is one transaction with its record; then the store's files are scrubbed, now or, where
    that cannot be, by the job `scrub`."""

    def forget(self, space: str, asked: Forget) -> Erasure:
        """Erases what is asked for and everything that came from it; NotFound where there is no such thing."""

    def preview(self, space: str, asked: Forget) -> Erasure:
        """What `forget` would do. Nothing is changed."""

    def edit(self, space: str, draft: MessageDraft, asked: Forget) -> Message:
        """Gives a message the draft's words; what came from the old ones is erased as `forget` does."""

    @property
    def scrubs(self) -> bool:
        """Whether this process may: on a server, only the owner of the tables."""
        ...

    def scrub(self) -> Mapping[str, str]:
        """Goes on scrubbing; says what is still to be done, and why."""

    def list(self, space: str, limit: int) -> Sequence[Erasure]:
        """The newest first."""

    def verify(self, text: str, space: str | None) -> Verification:
        """Looks for a text in every table and in the bytes of every file."""


class Moving(Protocol):
    """What was distilled, whole: as it leaves with its space, and comes back."""

    def facts(self, space: str, limit: int, after: str | None) -> Sequence[KeptFact]:
        """In the order they were noted, from behind `after`."""

    def keep_facts(self, space: str, facts: Sequence[KeptFact], own: Collection[str]) -> None:
        """Puts facts with their evidence where they are not yet, or were noted earlier than they were changed last.

        `own` are the ids of all that are being moved. What else was noted here by itself, of the same messages and
        saying the same, makes room: what was decided about it is decided about the fact that comes in its place. The
        evidence gate: InvalidInput for a quote that does not stand in its message, and for a fact that was not made by
        hand and that no user's words prove.
        """

    def tie_facts(self, space: str, facts: Sequence[KeptFact]) -> None:
        """Puts back how facts that are there bear on each other, and what ended those that are as they were."""

    def episodes(self, space: str, conversation: str) -> Sequence[KeptEpisode]:
        """With those that were merged into others, as they were noted."""

    def keep_episodes(self, space: str, episodes: Sequence[KeptEpisode]) -> None:
        """Puts episodes where they are not yet, before or after their messages. What was found here by itself in the
        same messages makes room."""

    def keep_summaries(self, summaries: Sequence[Summary], own: Collection[str]) -> None:
        """Puts summaries where they are not yet, before or after their messages. `own` are the ids of all that are
        being moved; another segment that was made here of the same messages is replaced."""

    def sources(self, space: str, made: Made, id: str) -> Sources: ...
    def keep_sources(self, space: str, made: Made, sources: Mapping[str, Sources | None]) -> None:
        """Says what each of these was made from, as far as that is there; None: the messages that it is about."""

    def consolidations(self, space: str) -> Sequence[KeptConsolidation]:
        """The oldest first."""

    def keep_consolidations(self, space: str, kept: Sequence[KeptConsolidation]) -> None:
        """Puts consolidations where they are not yet, after what they were about."""


class Keys(Protocol):
    """API keys. A key's secret is known by its digest only."""

    def add(self, key: Key, digest: bytes) -> None: ...
    def get(self, id: str) -> tuple[Key, bytes] | None:
        """The key and the digest of its secret."""

    def list(self) -> list[Key]: ...
    def revoke(self, id: str, at: datetime) -> None:
        """One that is revoked already keeps its time."""


class Rates(Protocol):
    def allot(self, asked: Allotment) -> int:
        """How many of the wanted calls may be made; they count as made. What the stretch before left over counts for as
        much of it as still lies within the time."""


class Store(Protocol):
    """Somewhere to rest. One attribute a noun; each method of a noun is one transaction."""

    @property
    def address(self) -> str:
        """A path, or a server's address without its password."""

    @property
    def spaces(self) -> Spaces: ...
    @property
    def conversations(self) -> Conversations: ...
    @property
    def messages(self) -> Messages: ...
    @property
    def directories(self) -> Directories: ...
    @property
    def pins(self) -> Pins: ...
    @property
    def lexical(self) -> Lexical: ...
    @property
    def vectors(self) -> VectorIndex: ...
    @property
    def notes(self) -> Notes: ...
    @property
    def mentions(self) -> Mentions: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def progress(self) -> Reached: ...
    @property
    def preferences(self) -> Preferences: ...
    @property
    def summaries(self) -> Summaries: ...
    @property
    def costs(self) -> Costs: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def rates(self) -> Rates: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def consolidations(self) -> Consolidations: ...
    @property
    def profiles(self) -> Profiles: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def episodes(self) -> Episodes: ...
    @property
    def stats(self) -> SpaceStats: ...
    @property
    def ledger(self) -> Book: ...
    @property
    def accesses(self) -> Accesses: ...
    @property
    def retrievals(self) -> Retrievals: ...
    @property
    def receipts(self) -> Receipts: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def feed(self) -> Feed: ...
    @property
    def moving(self) -> Moving: ...
    @property
    def copies(self) -> Copies: ...
    def still(self, space: str | None = None) -> AbstractContextManager[None]:
        """While it lasts, all that this thread reads is of one moment. Most of it is about `space`, where one is named.
        Nothing that may take its time is done meanwhile, such as asking a model."""

    def current(self) -> bool:
        """Whether the schema is the one that this version knows."""
        ...

    def status(self) -> Status: ...
    def bytes(self) -> Mapping[str, int]:
        """How much room the store takes: the whole, the full-text index, the vectors, the messages' text."""

    def check(self, repair: bool, at: datetime, progress: Progress) -> list[Finding]: ...
    def backup(self, destination: Path, force: bool, progress: Progress) -> Backup:
        """Everything that was committed when it began, in a file that appears whole or not at all."""

    def close(self) -> None: ...

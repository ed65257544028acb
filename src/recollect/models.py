"""The values that recollect hands out and passes between its parts: frozen, typed, without behaviour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, overload

Json = Any  # whatever json.loads gives
Role = Literal["system", "user", "assistant", "tool"]
ChunkKind = Literal["code", "prose"]
HitKind = Literal["message", "pin", "summary", "fact", "episode", "profile"]
NoteKind = Literal["pin", "summary", "fact", "episode"]
PinType = Literal["manual", "auto", "code", "concept", "system"]
ConversationStatus = Literal["active", "paused", "ended"]
JobState = Literal["queued", "running", "done", "failed"]
Outcome = Literal["done", "more", "ended"]  # of a job: done; a part of it is; done, and recorded as such already
RetrievalKind = Literal["recall", "context"]
SummaryKind = Literal["segment", "rolling"]
SummaryStatus = Literal["processing", "completed", "failed"]
SummaryMethod = Literal["model", "extractive", "offline"]
FactKind = Literal["fact", "decision", "preference", "entity", "procedure", "constraint", "goal"]
FactStatus = Literal["pending", "active", "superseded", "archived", "rejected"]
FactMethod = Literal["pattern", "model", "manual"]
RelationKind = Literal["related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by"]
EpisodeType = Literal["decision_made", "problem_solved", "breakthrough", "issue_identified", "task_completed", "pivot"]
EpisodeMethod = Literal["pattern", "model", "manual"]
ErasureTarget = Literal["message", "conversation", "fact", "before", "everything", "edit"]
ProfileSource = Literal["caller", "user", "assistant", "system", "tool", "imported"]
KeyAccess = Literal["read", "write", "admin"]  # each may do what those before it may
ChangeKind = Literal[
    "space", "conversation", "message", "pin", "summary", "fact", "episode", "consent", "profile", "setting", "erasure"
]
ChangeAction = Literal["added", "changed", "removed"]
ImportFormat = Literal["chatgpt", "claude", "chat", "langchain", "mem0"]
AuditAction = Literal["grant", "revoke", "change", "remove", "read", "export", "import"]

ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")
CONVERSATION_STATES: tuple[ConversationStatus, ...] = ("active", "paused", "ended")
CHUNK_KINDS: tuple[ChunkKind, ...] = ("code", "prose")
JOB_STATES: tuple[JobState, ...] = ("queued", "running", "done", "failed")
HIT_KINDS: tuple[HitKind, ...] = ("message", "pin", "summary", "fact", "episode", "profile")
NOTE_KINDS: tuple[NoteKind, ...] = ("pin", "summary", "fact", "episode")
PIN_TYPES: tuple[PinType, ...] = ("manual", "auto", "code", "concept", "system")
SUMMARY_KINDS: tuple[SummaryKind, ...] = ("segment", "rolling")
SUMMARY_STATES: tuple[SummaryStatus, ...] = ("processing", "completed", "failed")
SUMMARY_METHODS: tuple[SummaryMethod, ...] = ("model", "extractive", "offline")
FACT_KINDS: tuple[FactKind, ...] = ("fact", "decision", "preference", "entity", "procedure", "constraint", "goal")
FACT_STATES: tuple[FactStatus, ...] = ("pending", "active", "superseded", "archived", "rejected")
FACT_METHODS: tuple[FactMethod, ...] = ("pattern", "model", "manual")
RELATION_KINDS: tuple[RelationKind, ...] = (
    "related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by",
)  # fmt: skip
EPISODE_TYPES: tuple[EpisodeType, ...] = (
    "decision_made", "problem_solved", "breakthrough", "issue_identified", "task_completed", "pivot",
)  # fmt: skip
PROFILE_SOURCES: tuple[ProfileSource, ...] = ("caller", "user", "assistant", "system", "tool", "imported")
KEY_ACCESS: tuple[KeyAccess, ...] = ("read", "write", "admin")
IMPORT_FORMATS: tuple[ImportFormat, ...] = ("chatgpt", "claude", "chat", "langchain", "mem0")
AUDIT_ACTIONS: tuple[AuditAction, ...] = ("grant", "revoke", "change", "remove", "read", "export", "import")

Part = Mapping[str, Json]
Content = str | Sequence[Part]


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was stored. `content` is what the caller gave: text, or a list of parts."""

    id: str
    space: str
    conversation: str
    seq: int
    role: Role
    content: str | list[dict[str, Json]]
    name: str | None
    tool_calls: list[dict[str, Json]] | None
    tool_call_id: str | None
    model: str | None
    importance: float
    tokens: int
    created_at: datetime
    metadata: dict[str, Json]

    @property
    def text(self) -> str:
        """The words of the message: its text, or its text parts joined by a blank line."""
        return text_of(self.content)


def text_of(content: Content) -> str:
    """The words in a message's content. Parts that are not text have none."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part.get("type") in TEXT_PARTS)


TEXT_PARTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Scored:
    """A message's importance by the rules as they are now, what it was before, and the rules that apply to it."""

    message_id: str
    seq: int
    importance: float
    before: float
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a message's text. A message's chunks, put together in order, are its text."""

    id: str
    message_id: str
    index: int
    kind: ChunkKind
    language: str | None
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class When:
    """A span of time that a text speaks of, in UTC: from `start` up to, not including, `stop`. `text` is its words."""

    start: datetime
    stop: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Pin:
    """Something to keep in view until it is removed. `reason` says why, where recollect pinned it by itself."""

    id: str
    content: str
    importance: float
    type: PinType
    source_message_id: str | None
    created_at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """Where a conversation stands. `turns` counts the user's messages.

    What is said in a `muted` one is neither recalled elsewhere nor distilled.
    """

    id: str
    space: str
    status: ConversationStatus
    title: str | None
    outcome: str | None
    model: str | None
    messages: int
    turns: int
    tokens: int
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    metadata: dict[str, Json]
    muted: bool = False


@dataclass(frozen=True, slots=True)
class SpaceInfo:
    """A space and how much is in it."""

    id: str
    conversations: int
    messages: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a space holds, and the bytes that it takes: of its messages' `text`, of its `vectors`, and its share of
    the index `full_text` by its number of terms. `chunks` are those that can be searched, `summaries` completed."""

    conversations: int = 0
    messages: int = 0
    chunks: int = 0
    summaries: int = 0
    pins: int = 0
    facts: int = 0
    episodes: int = 0
    bytes: Mapping[str, int] = field(default_factory=lambda: {"text": 0, "full_text": 0, "vectors": 0})


@dataclass(frozen=True, slots=True)
class Score:
    """Why a hit stands where it stands. Each part lies between 0 and 1 before it is weighted.

    `speaker`, `time` and `statement` are what the question's form says of who answers it and when: a small weight each.
    """

    total: float
    dense: float = 0.0
    lexical: float = 0.0
    identifier: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    access: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    statement: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that answers a query: a message with the chunk of it that does so best, or a pin, a summary, a fact, an
    episode or a profile.

    `messages` are the ids of those that say a fact, that an episode tells of, or that a pin was made of. `notes` are
    the facts, episodes and pins, by id, that were found too and that this message is part of: they take no place of
    their own.
    """

    kind: HitKind
    id: str
    text: str
    score: Score
    sources: tuple[str, ...]
    conversation: str
    message: Message | None = None
    chunk: Chunk | None = None
    messages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a query was read, and how much was looked at."""

    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    when: tuple[datetime, datetime] | None
    messages: int
    candidates: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Hits(Sequence[Hit]):
    """Ranked hits, best first. `degraded` names what could not be searched, `warnings` say why."""

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    explanation: Explanation | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a stretch of a conversation said, from `first_seq` to `last_seq`.

    A segment stands by itself; a rolling summary goes on from the one that `base_id` names. `method` and
    `milliseconds` say how it was made and how long that took, `error` why it was not, or not by a model. One that was
    made anew or merged stays, and says by which it was `replaced_by`.
    """

    id: str
    space: str
    conversation: str
    kind: SummaryKind
    first_seq: int
    last_seq: int
    message_count: int
    text: str
    topics: tuple[str, ...]
    importance: float
    base_id: str | None
    status: SummaryStatus
    method: SummaryMethod | None
    model: str | None
    tokens: int
    milliseconds: float | None
    error: str | None
    created_at: datetime
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Timings:
    """How many summaries of a kind were completed and failed, and what the completed ones took: None for none."""

    completed: int
    failed: int
    average_milliseconds: float | None
    maximum_milliseconds: float | None


@dataclass(frozen=True, slots=True)
class Window:
    """How far a conversation's rolling summary has come.

    `latest` is the completed one that reaches the furthest; `behind` messages came after it. `making` is the one that
    is being made, `stuck` where that has taken longer than five minutes. `history` are the last ones of any state,
    the earliest first.
    """

    size: int
    newest_seq: int | None
    latest: Summary | None
    behind: int
    making: Summary | None
    stuck: bool
    timings: Timings
    history: tuple[Summary, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that say something: `quote` stands in the message word for word, and `speaker` said it."""

    message_id: str
    conversation: str
    quote: str
    speaker: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth keeping, with the words that say it.

    `subject`, `attribute` and `value` say what it is about ("user", "home", "Lisbon"); without an attribute nothing
    can supersede it by itself. It was true in the world from `valid_from` up to `valid_until`, and known here from
    `known_from` up to `known_until`; None: open. What is pending was not known yet. `evidence` is empty only for what
    was remembered by hand; the newest 20 are shown.
    """

    id: str
    space: str
    kind: FactKind
    subject: str
    attribute: str | None
    value: str | None
    text: str
    status: FactStatus
    confidence: float
    importance: float
    category: str | None
    tags: tuple[str, ...]
    method: FactMethod
    model: str | None
    tokens: int
    evidence: tuple[Evidence, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None
    accesses: int
    accessed_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Relation:
    """One memory's bearing on another: `source` `kind` `target`, as in "b supersedes a"."""

    source: str
    kind: RelationKind
    target: str
    strength: float
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Episode:
    """Something that happened in a conversation, from `first_seq` to `last_seq`: `at` the time of its last message, and
    noted at `created_at`."""

    id: str
    space: str
    conversation: str
    type: EpisodeType
    title: str
    summary: str
    context: str
    participants: tuple[str, ...]
    outcome: str | None
    valence: float
    significance: float
    facts: tuple[str, ...]
    first_seq: int
    last_seq: int
    method: EpisodeMethod
    model: str | None
    tokens: int
    created_at: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class Third:
    """A third of a conversation: from `first_seq` to `last_seq`, in its own words, and the episodes that end in it."""

    first_seq: int
    last_seq: int
    summary: str
    topics: tuple[str, ...]
    episodes: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Arc:
    """How a conversation went. `key_moments` are its most significant episodes, in their order."""

    beginning: Third
    middle: Third
    end: Third
    key_moments: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Consent:
    """Whether a space has agreed to keep a profile, since when, who said so; `at` is None where nobody was asked."""

    space: str
    granted: bool = False
    at: datetime | None = None
    by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileField:
    """One thing that is known of a person: since when it is true, until when, and who says so.

    `source` is the caller, or the role of the one who said it in the message `message_id` of `conversation`;
    `imported` for words that came from elsewhere.
    """

    name: str
    value: str | int | float | bool
    source: ProfileSource
    conversation: str | None
    message_id: str | None
    since: datetime
    expires_at: datetime | None
    set_at: datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person, by name. Without consent it is empty, whatever there was before."""

    space: str
    consent: bool = False
    fields: tuple[ProfileField, ...] = ()
    free: ProfileField | None = None

    @property
    def values(self) -> dict[str, str | int | float | bool]:
        """The fields' values by their names."""
        return {field.name: field.value for field in self.fields}

    @property
    def text(self) -> str:
        """The free text; empty where there is none."""
        return "" if self.free is None else str(self.free.value)


@dataclass(frozen=True, slots=True)
class Revocation:
    """What revoking consent erased. `entries` counts every value that a field ever had; the free text is the field
    without a name.

    `scrubbed` is false where another process was reading and the store's log still has the erased bytes: revoking
    again tries again.
    """

    space: str
    at: datetime
    fields: tuple[str, ...]
    entries: int
    receipts: int
    scrubbed: bool


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what with a profile and when. `detail` has names of fields, never their values; `imported` entries came
    with an imported space."""

    id: str
    space: str
    at: datetime
    actor: str
    action: AuditAction
    detail: Mapping[str, Json]
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import of another program's export did, or would do.

    `messages` are new, `known` were there already, `changed` are there with other words and were left as they are.
    `facts` are new, and wait for review. `skipped` says how much was left out, by reason.
    """

    formats: tuple[ImportFormat, ...]
    conversations: int
    messages: int
    known: int
    changed: int
    facts: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What becomes of one memory: it is archived, with the `strength` that it had left, or merged `into` another."""

    action: Literal["archived", "merged"]
    record: Literal["fact", "episode"]
    id: str
    into: str | None
    text: str
    tokens: int
    strength: float | None


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a consolidation did, or (without an id) would do. `tokens` are those of the memories that left; `records`
    names the first thousand of them, and is empty for a consolidation of the past."""

    id: str
    at: datetime
    looked_at: int
    archived: int
    merged: int
    tokens: int
    records: tuple[Consolidated, ...]
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Cost:
    """One call of a language model: who was asked, what for, and what it took. `error` says why it gave nothing."""

    id: str
    space: str | None
    at: datetime
    model: str
    operation: str
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float
    error: str | None


@dataclass(frozen=True, slots=True)
class Spent:
    """What the calls of one model for one operation took together. `failed` of them gave nothing; of `open` ones only
    what was set aside for them is known: they are under way, or their process was killed."""

    model: str
    operation: str
    calls: int
    failed: int
    open: int
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Answerer:
    """The language model that answers in a conversation. `local`: no word leaves this machine. Where `model` is None
    nobody answers, and `reason` says why, and what to do."""

    model: str | None
    local: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Tokens of language models, of the whole store, since the day began (UTC). `cap` and `left` are None where
    nothing is capped."""

    since: datetime
    spent: int
    cap: int | None
    left: int | None


@dataclass(frozen=True, slots=True)
class Access:
    """How often a message was handed out by a retrieval, and when last."""

    message_id: str
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How one retrieval went: numbers only. Neither the question nor anything that was found is in it.

    `sources` and `content` count hits by where they came from and by what they are (`message`, or `chunk` for a part
    of one); `milliseconds` are by stage, with `total` for the whole; `top_scores` are the best three.
    `tokens` of `budget` were used, and `prefix_tokens` of them came first and stay the same: None where it built no
    context.
    """

    id: str
    space: str
    conversation: str | None
    at: datetime
    kind: RetrievalKind
    hits: int
    sources: Mapping[str, int]
    content: Mapping[str, int]
    milliseconds: Mapping[str, float]
    top_scores: tuple[float, ...]
    flags: Mapping[str, bool | int | float | str]
    degraded: tuple[str, ...] = ()
    tokens: int | None = None
    budget: int | None = None
    prefix_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Percentiles:
    """So long took the fastest half, the fastest 95 % and the fastest 99 %, at most."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """How retrievals went on the whole.

    Shares and means lie between 0 and 1, and are None where no retrieval has what they are made of. `flags` are the
    shares of retrievals with each flag on; `degraded` counts those that could not search everything.
    """

    count: int
    hit_rate: float | None
    top_score: float | None
    budget_use: float | None
    prefix_share: float | None
    degraded: int
    sources: Mapping[str, int]
    content: Mapping[str, int]
    milliseconds: Mapping[str, Percentiles]
    flags: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Activity:
    """What happened from `start` up to, not including, `stop`: retrievals, messages embedded, summaries made and
    failed, tokens of language models. Milliseconds are each message's and each summary's; None for none."""

    start: datetime
    stop: datetime
    retrievals: Metrics
    embedded: int
    embedding: Percentiles | None
    summaries: int
    failed_summaries: int
    summarising: Percentiles | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of background work, on a message, on a conversation or on the whole store. `attempts` counts the starts,
    `error` is the last reason it did not end, or why it left its work to the next of its kind.

    `due_at` is when it may start; for a running job, when its lease is over.
    """

    id: str
    kind: str
    space: str | None
    message_id: str | None
    state: JobState
    attempts: int
    error: str | None
    milliseconds: float | None
    created_at: datetime
    due_at: datetime
    worker: str | None
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """An embedding model the store knows, and how far its vectors reach. `state` is serving, building or retired."""

    name: str
    dimension: int
    state: str
    embedded: int
    expected: int


@dataclass(frozen=True, slots=True)
class Status:
    """What the store holds and what is still to be done."""

    spaces: int
    conversations: int
    messages: int
    chunks: int
    jobs: Mapping[str, int]
    models: tuple[EmbeddingModel, ...]
    schema_version: int


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether everything works: the store answers, its schema is this version's, and the workers of this process run
    (`elsewhere`: it has none). `ready` is all of it."""

    ready: bool
    store: bool
    schema: bool
    worker: Literal["running", "stopped", "elsewhere"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of the doctor. `count` things are wrong; `repaired` says whether they were mended."""

    check: str
    ok: bool
    count: int
    detail: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole store in one file: where it is, its bytes, and what it holds."""

    path: str
    bytes: int
    schema_version: int
    spaces: int
    conversations: int
    messages: int


@dataclass(frozen=True, slots=True)
class Restored(Backup):
    """A store made of a backup. `mended` names what the doctor rebuilt from its log on the way."""

    mended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting's effective value and where it comes from: default, environment or space."""

    name: str
    value: bool | int | float | str
    source: Literal["default", "environment", "space"]


@dataclass(frozen=True, slots=True)
class Portion:
    """So many records of a kind, and why they went, are made anew, or stayed."""

    kind: str
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Erasure:
    """What forgetting did, or with `dry_run` would do. Nothing of what was forgotten is in it.

    `pending` is what of the store's files may still hold old bytes; it is scrubbed in the background.
    """

    id: str
    space: str
    at: datetime
    target: ErasureTarget
    erased: tuple[Portion, ...] = ()
    recomputed: tuple[Portion, ...] = ()
    kept: tuple[Portion, ...] = ()
    pending: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def complete(self) -> bool:
        """Whether no byte of it is left in the store's files."""
        return not self.pending


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text, or a word of it, still is: a column and a row's key, or a file and an offset in it."""

    where: str
    at: str
    what: Literal["text", "word"]


@dataclass(frozen=True, slots=True)
class Verification:
    """Where a text was looked for, and where it is. `words` counts the words of it that no message has any more."""

    found: tuple[Place, ...]
    tables: tuple[str, ...]
    files: tuple[str, ...]
    bytes: int
    words: int

    @property
    def clean(self) -> bool:
        return not self.found


@dataclass(frozen=True, slots=True)
class Key:
    """Who may come in by a door. `spaces` are those that it opens; None: all of them."""

    id: str
    name: str
    access: KeyAccess
    spaces: tuple[str, ...] | None
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made. `secret` is what its owner sends; it is kept nowhere and shown only now."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class CopiedSpace:
    """A space that is in two stores alike. `records` and `checksums` (SHA-256) are by kind of record; `written` says
    whether anything had to be copied."""

    space: str
    records: Mapping[str, int]
    checksums: Mapping[str, str]
    written: bool


@dataclass(frozen=True, slots=True)
class Copied:
    """A store that was copied: all of its spaces, those of them that were there already, its keys, and all records by
    their kind."""

    spaces: int
    unchanged: int
    keys: int
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Change:
    """That something of a space was added, changed or removed; nothing of what it says.

    `number` rises within the space. `record` is the id of what it is; None where that is gone by now, and for what a
    space has one of (consent, profile, settings). Of a conversation that went not even its own id is left.
    """

    number: int
    kind: ChangeKind
    action: ChangeAction
    conversation: str | None = None
    record: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Changes(Sequence[Change]):
    """Changes of a space, the oldest first; `cursor` is what to go on after.

    `missed`: the cursor that was given is none of this space, or so old that not all since is kept. Read anew what you
    show, and go on after this one.
    """

    changes: tuple[Change, ...] = ()
    cursor: int = 0
    missed: bool = False

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Change, ...]: ...
    def __getitem__(self, index: int | slice) -> Change | tuple[Change, ...]:
        return self.changes[index]

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

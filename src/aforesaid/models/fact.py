"""Facts with their evidence and relations, and the claims, proposals and changes that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.message import Expires
from aforesaid.models.value import Value

FactKind = Literal["fact", "decision", "preference", "entity", "procedure", "constraint", "goal"]
FactStatus = Literal["pending", "active", "superseded", "archived", "rejected"]
FactMethod = Literal["pattern", "model", "manual"]
RelationKind = Literal["related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by"]
FACT_KINDS: tuple[FactKind, ...] = get_args(FactKind)
FACT_STATES: tuple[FactStatus, ...] = get_args(FactStatus)
FACT_METHODS: tuple[FactMethod, ...] = get_args(FactMethod)
RELATION_KINDS: tuple[RelationKind, ...] = get_args(RelationKind)


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """The source of a fact: `quote` is the exact text in the message, `speaker` its author. `supports` is False if the
    words or the value of the fact were edited since: the quote no longer says them."""

    message_id: str
    conversation: str
    quote: str
    speaker: str
    said_at: datetime
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Fact(Value):
    """A stored claim with its evidence.

    `subject`, `attribute` and `value` are its content ("user", "home", "Lisbon"). A fact without an attribute is never
    superseded automatically. It is valid from `valid_from` to `valid_until`, and known from `known_from` to
    `known_until`; None is an open end. A fact without `valid_from` counts as valid from when it was first said, unless
    it was over by then. A pending fact does not count as known. `evidence` has the newest 20 sources;
    it is empty only for facts stored with `remember`. At `expires_at`, and when a message of its evidence expires, the
    fact disappears. If a person archived or rejected it, `withdrawn_from` is the status before, and `reason` may say
    why. A fact with a `schema` is a record: its `value` is a JSON object.
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
    expires_at: datetime | None = None
    reason: str | None = None
    withdrawn_from: FactStatus | None = None
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Relation(Value):
    """A link between two facts: `source` `kind` `target`, as in "b supersedes a"."""

    source: str
    kind: RelationKind
    target: str
    strength: float
    created_at: datetime


# Values between extraction, reconciliation and the store.


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in a message that can become a fact.

    `subject` is `user` for the speaker, else a name in lower case. `attribute` is the slot of `value` ("home",
    "employer"), or None. `text` is a complete sentence. `quote` is the exact text of the message at offset `start`.
    `replaces`: the words say that the value is new ("I now work at …"), so that it ends the other values of its slot.
    With a `schema`, the claim is a record, and `value` a JSON object.
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
    replaces: bool = False
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """What an extractor reads in a message: `text` is a sentence, and `quote` the exact words of the message that prove
    it. Without a `subject`, it is about the speaker."""

    message_id: str
    text: str
    quote: str
    subject: str = "user"
    attribute: str | None = None
    value: str | None = None
    kind: FactKind = "fact"
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence for a fact. `text` and `value` are those of the claim; `supports` as in `Evidence`. If a
    caller named the message as the source, `quote` is None, and the start of the message is used."""

    message_id: str
    quote: str | None
    text: str
    value: str | None
    supports: bool = True


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory of another program about the user. `quote` is in the message `source`; `text` is a sentence."""

    text: str
    quote: str
    source: str
    tags: tuple[str, ...] = ()


UNVERIFIED = "unverified: "  # begins the tag of a fact that waits for a review, with the reason


@dataclass(frozen=True, slots=True)
class FactLink:
    """What a model says a claim is to the known fact `fact`."""

    relation: Literal["same", "updates", "contradicts"]
    fact: str


@dataclass(frozen=True, slots=True)
class FactProposal:
    """A claim with its proof; None for a fact that a caller enters. `speaker` is the name of its author."""

    claim: Claim
    method: FactMethod
    said_at: datetime
    proof: Proof | None
    model: str | None = None
    importance: float | None = None
    speaker: str | None = None
    expires: Expires | None = None
    link: FactLink | None = None

    @property
    def unverified(self) -> bool:
        return is_unverified(self.claim)


def is_unverified(fact: Fact | Claim) -> bool:
    """Returns True if the rules could not decide whether the quote says it, and nobody else has decided."""
    return any(tag.startswith(UNVERIFIED) for tag in fact.tags)


@dataclass(frozen=True, slots=True)
class Supersession:
    """The fact `by` ended the fact `closed`. `status` and `valid_until` are the previous values."""

    closed: str
    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class FactTopic:
    """Selects the facts that a change concerns: by id, by slot, by similar text, or by source message."""

    ids: tuple[str, ...] = ()
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    text: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """The facts that a topic can concern, the newest first, with their supersessions. `proven` are the ids of those
    that already have the message as evidence. `reopened` are those that the rejection of a named one made valid
    again."""

    facts: tuple[Fact, ...]
    closings: tuple[Supersession, ...] = ()
    proven: frozenset[str] = frozenset()
    reopened: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FactChange:
    """The writes of one change: facts, their proofs, added and removed relations, and supersessions made and undone.

    `inherited` are pairs of a new fact and the fact whose evidence it takes over."""

    facts: tuple[Fact, ...] = ()
    proofs: tuple[tuple[str, Proof], ...] = ()
    relations: tuple[Relation, ...] = ()
    unrelated: tuple[Relation, ...] = ()
    closed: tuple[Supersession, ...] = ()
    reopened: tuple[str, ...] = ()
    inherited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Selects facts. With `held`, those that were held true at `known_at`, whatever their status is now."""

    status: FactStatus | None = None
    kind: FactKind | None = None
    category: str | None = None
    tag: str | None = None
    subject: str | None = None
    schema: str | None = None
    conversation: str | None = None
    held: bool = False
    not_over: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None


# Values of exports.


@dataclass(frozen=True, slots=True)
class SupersessionRecord:
    """A supersession in an export: the values before and after it, and the time of its undo."""

    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None
    closed_until: datetime | None
    corrected: bool
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class FactExport:
    """A fact with all of its evidence, supersessions and relations."""

    fact: Fact
    proofs: tuple[Proof, ...]
    ended: tuple[SupersessionRecord, ...]
    relations: tuple[Relation, ...]

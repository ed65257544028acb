"""Facts with their evidence and relations, and the claims, proposals and changes that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

FactKind = Literal["fact", "decision", "preference", "entity", "procedure", "constraint", "goal"]
FactStatus = Literal["pending", "active", "superseded", "archived", "rejected"]
FactMethod = Literal["pattern", "model", "manual"]
RelationKind = Literal["related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by"]
FACT_KINDS: tuple[FactKind, ...] = ("fact", "decision", "preference", "entity", "procedure", "constraint", "goal")
FACT_STATES: tuple[FactStatus, ...] = ("pending", "active", "superseded", "archived", "rejected")
FACT_METHODS: tuple[FactMethod, ...] = ("pattern", "model", "manual")
RELATION_KINDS: tuple[RelationKind, ...] = (
    "related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by",
)  # fmt: skip


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
class Proof:
    """The words of a message that say a fact, and how they say it: `text` and `value` are the claim's own. Without a
    quote, the message's beginning stands for it: somebody named it by hand as the source."""

    message_id: str
    quote: str | None
    text: str
    value: str | None


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """Words that another program has noted about the user: `quote` stands in the message `source`, `text` can be read
    by itself."""

    text: str
    quote: str
    source: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactProposal:
    """A claim with what proves it: None where somebody says so by hand. `speaker` is the name of who said it."""

    claim: Claim
    method: FactMethod
    said_at: datetime
    proof: Proof | None
    model: str | None = None
    importance: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Supersession:
    """The fact `closed` was ended by the fact `by`, at a moment; and how it stood before."""

    closed: str
    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class FactTopic:
    """What a change of facts is about: those with these ids, in this slot, in words like these, said by a message.
    `named` is the same under the speaker's name, where the user may be somebody else."""

    ids: tuple[str, ...] = ()
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    text: str | None = None
    message_id: str | None = None
    named: FactTopic | None = None


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """The facts that a topic may concern, the newest first, with what ended them and what they ended. `proven` are the
    ids of those that the topic's message says already. `user` is the first name by which somebody has said what is held
    of the user; it is looked up for a topic that has a speaker's name."""

    facts: tuple[Fact, ...]
    closings: tuple[Supersession, ...] = ()
    proven: frozenset[str] = frozenset()
    user: str | None = None


@dataclass(frozen=True, slots=True)
class FactChange:
    """What to write: facts as they are to be, what proves them, relations, what was closed and what is open again."""

    facts: tuple[Fact, ...] = ()
    proofs: tuple[tuple[str, Proof], ...] = ()
    relations: tuple[Relation, ...] = ()
    unrelated: tuple[Relation, ...] = ()
    closed: tuple[Supersession, ...] = ()
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


# What moves with a space.


@dataclass(frozen=True, slots=True)
class SupersessionRecord:
    """That the fact `by` ended a fact, how that stood before and after, and when it was taken back."""

    by: str
    at: datetime
    status: FactStatus
    valid_until: datetime | None
    closed_until: datetime | None
    corrected: bool
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class FactExport:
    """A fact with all of its evidence, all that ever ended it, and its relations to others."""

    fact: Fact
    proofs: tuple[Proof, ...]
    ended: tuple[SupersessionRecord, ...]
    relations: tuple[Relation, ...]

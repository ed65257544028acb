"""Records of retrievals, accesses and receipts, and the metrics made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.profile import AuditEntry

RetrievalKind = Literal["recall", "context"]


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


# What retrieval hands to the ledger, and the ledger to a store.


@dataclass(frozen=True, slots=True)
class RetrievalRecord:
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


LedgerEntry = RetrievalRecord | StoredReceipt | AuditEntry

"""Records of retrievals, accesses and receipts, and the metrics made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.profile import AuditEntry
from aforesaid.models.value import Value

RetrievalKind = Literal["recall", "context"]


@dataclass(frozen=True, slots=True)
class Access(Value):
    message_id: str
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Retrieval(Value):
    """The record of one recall or context: numbers only, neither the question nor the results.

    `sources` and `content` count hits by search and by kind (`message`, or `chunk` for a part of one). `milliseconds`
    are by stage, with a `total`; `top_scores` are the best three. `tokens`, `budget` and `prefix_tokens` are those of
    the context; None for a recall.
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
class Percentiles(Value):
    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class Metrics(Value):
    """Totals over retrievals. Shares and means are between 0 and 1; None if no retrieval has the number. `flags` are
    the shares of retrievals with each flag on; `degraded` counts those with a failed search."""

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
class Activity(Value):
    """The activity from `start` to `stop` (exclusive): retrievals, embedded messages, completed and failed summaries,
    tokens of language models. `embedding` and `summarising` are milliseconds per message and per summary."""

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
class RetrievalRecord:
    """A retrieval, and the ids of the messages and facts that it returned: each counts as one access."""

    retrieval: Retrieval
    messages: tuple[str, ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredReceipt:
    """The stored form of a receipt. `body` and `items` are read by `context/stored_receipt.py` only. `messages` are the
    ids of the messages in `items`; empty for one that is no longer stored."""

    id: str
    space: str
    conversation: str
    at: datetime
    body: str
    messages: tuple[str, ...] = ()
    items: bytes = b""


LedgerEntry = RetrievalRecord | StoredReceipt | AuditEntry

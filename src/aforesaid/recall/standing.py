"""How one message did in a search: what kept it out, or its rank and its score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from aforesaid.models.index import Directory
from aforesaid.models.message import Message
from aforesaid.models.recall import Score
from aforesaid.recall.filters import ConversationFilter
from aforesaid.recall.scoring import CandidateSet
from aforesaid.text.analyzer import index_terms

MOST_RANKED = 5_000  # messages whose texts are read for a rank; the rank of any other one is that before texts are read

Barrier = Literal["muted", "branch", "elsewhere", "filtered", "not_searchable"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A message in one search.

    `barrier` is why it was not searched. `rank` is its place among the `found` messages that share a word or meaning
    with the question; None if it is not one of them. Before any text is read, its place is `first_rank`, and the search
    reads the best `read` only. It returns at most `wanted` of them, with a relevance of at least `least`; if it is not
    `answerable`, none. `duplicate` is the message of a higher rank that says nearly the
    same. `similarity` is None for a message that has no vector, or that was not compared.
    """

    barrier: Barrier | None = None
    rank: int | None = None
    first_rank: int | None = None
    found: int = 0
    read: int = 0
    wanted: int = 0
    score: Score | None = None
    similarity: float | None = None
    shared: tuple[str, ...] = ()
    least: float = 0.0
    answerable: bool = True
    duplicate: Message | None = None
    indexed: bool = True


def find_barrier(scope: ConversationFilter, directory: Directory, at: int) -> Barrier:
    """What leaves out the message at a position."""
    here = int(directory.conversations[at])
    if here in scope.muted:
        return "muted"
    if not scope.allows(directory.conversations, partial(scope.on_line, directory))[at]:
        return "branch" if here in scope.tree else "elsewhere"
    return "filtered"


def find_position(directory: Directory, conversation: int | None, seq: int) -> int | None:
    """The position of a message, by the key of its conversation; None if it is not searchable."""
    rows = np.flatnonzero((directory.conversations == (conversation or 0)) & (directory.seqs == seq))
    return int(rows[0]) if len(rows) else None


def has_vector(candidates: CandidateSet, at: int) -> bool:
    return not candidates.dense.without_vector(np.array([at], np.int64))[0]


def similarity_at(candidates: CandidateSet, at: int) -> float | None:
    """The similarity of a message and the question; None if they were not compared."""
    compared = candidates.dense.failure is None and has_vector(candidates, at)
    return float(candidates.dense.own[at]) if compared else None


def shared_terms(terms: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The terms of a query that a text has, without the letter that marks their kind."""
    own = set(index_terms(text))
    return tuple(term[1:] for term in terms if _has(own, term))


def _has(own: set[str], term: str) -> bool:
    return any(one.startswith(term[:-1]) for one in own) if term.endswith("*") else term in own

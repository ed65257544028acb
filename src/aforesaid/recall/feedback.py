"""Feedback as a part of the score: a bounded correction of the scores of single messages.

A verdict concerns one message and one question. It counts for questions that share at least a third of their terms with
that one, in proportion to what they share, and loses half of its effect in 90 days. The sum for a message is between −1
and 1. It never changes a message that has no verdict.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b

import numpy as np

from aforesaid.models.feedback import Feedback, RatedMessage, Verdict
from aforesaid.models.index import Directory
from aforesaid.recall.bm25 import Column
from aforesaid.text.analyzer import index_terms, query_terms

EFFECTS: Mapping[Verdict, float] = {"useful": 0.5, "useless": -0.5, "quoted": 0.25}
MIN_OVERLAP = 1 / 3
HALF_LIFE = timedelta(days=90)
QUOTED_TERMS = 3  # terms of a message, which the question lacks, that an answer has if it quotes the message
QUOTED_SHARE = 0.3  # and the share of the message's terms that they are


def hashed_terms(question: str) -> tuple[int, ...]:
    """The terms of a question as numbers of 16 bits. Several terms have the same number."""
    return tuple(sorted({_hashed(term) for term in query_terms(question)}))


def _hashed(term: str) -> int:
    return int.from_bytes(blake2b(term.encode(), digest_size=2).digest())


def corrections(feedback: Iterable[Feedback], terms: Sequence[int] | None, now: datetime) -> dict[str, float]:
    """The correction of each message for a question with these terms; None: for the question of each verdict."""
    sums: defaultdict[str, float] = defaultdict(float)
    for one in feedback:
        overlap = 1.0 if terms is None else _overlap(one.terms, terms)
        if overlap >= MIN_OVERLAP:
            age = max((now - one.at) / HALF_LIFE, 0.0)
            sums[one.message_id] += EFFECTS[one.verdict] * overlap * 0.5**age
    return {id: max(-1.0, min(1.0, total)) for id, total in sums.items()}


def _overlap(one: Sequence[int], other: Sequence[int]) -> float:
    both = set(one) | set(other)
    return len(set(one) & set(other)) / len(both) if both else 0.0


def feedback_column(directory: Directory, by_key: Mapping[int, float]) -> Column:
    """The correction of each message of a directory; 0 for most."""
    keys = np.array(sorted(by_key), np.int64)
    values = np.array([by_key[key] for key in keys.tolist()])
    column = np.zeros(len(directory))
    if len(keys):
        at = np.minimum(np.searchsorted(keys, directory.messages), len(keys) - 1)
        known = keys[at] == directory.messages
        column[known] = values[at[known]]
    return column


def summarize_feedback(feedback: Sequence[Feedback], terms: Sequence[int] | None, now: datetime) -> list[RatedMessage]:
    """The rated messages, the strongest correction first; of equal ones, the latest."""
    correction = corrections(feedback, terms, now)
    verdicts: defaultdict[str, list[Feedback]] = defaultdict(list)
    for one in feedback:
        verdicts[one.message_id].append(one)
    rated = []
    for id, own in verdicts.items():
        counts = Counter(one.verdict for one in own)
        numbers = counts["useful"], counts["useless"], counts["quoted"]
        rated.append(RatedMessage(id, *numbers, max(one.at for one in own), correction.get(id, 0.0)))
    return sorted(rated, key=lambda one: (-abs(one.correction), -one.last_at.timestamp()))


def is_quoted(text: str, question: str, answer: str) -> bool:
    """Returns True if an answer has words of a recalled text that the question does not have."""
    terms, own = set(index_terms(text)), set(index_terms(question))
    shared = (terms - own) & set(index_terms(answer))
    return len(shared) >= QUOTED_TERMS and len(shared) >= QUOTED_SHARE * len(terms)

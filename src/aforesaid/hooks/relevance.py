"""Decides which hits are relevant to a prompt. If none is, a hook adds nothing.

The strength of a hit is its similarity by meaning, plus half of the share of the prompt's words that it has. The words
of a long text count less. The best hit must reach `FLOOR`; the others are kept from `KEPT` on.
`aforesaid bench foreign` measures how often this keeps the evidence of a question, and adds nothing to one of somebody
else's space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from aforesaid.models.recall import Hit
from aforesaid.text.analyzer import query_terms

FLOOR = 0.90
KEPT = 0.70
LEAST_TERMS = 2  # a prompt with fewer words that count ("continue", "thanks") asks for nothing
FULL_TERMS = 8  # shared words that are enough for a long prompt
SHORT_TERMS = 40  # words of a text up to which they count fully
UNRELATED = 0.60  # the usual similarity of unrelated texts; for a hit whose vector is not computed yet


def relevant_hits(prompt: str, hits: Sequence[Hit]) -> list[Hit]:
    """The relevant hits, in their order; none if the best one is too weak."""
    terms = set(query_terms(prompt))
    if len(terms) < LEAST_TERMS:
        return []
    strengths = [strength(hit, terms) for hit in hits]
    if max(strengths, default=0.0) < FLOOR:
        return []
    return [hit for hit, value in zip(hits, strengths, strict=True) if value >= KEPT]


def strength(hit: Hit, terms: set[str]) -> float:
    words = set(query_terms(hit.text, len(hit.text)))
    share = len(terms & words) / min(len(terms), FULL_TERMS)
    length = min(1.0, math.sqrt(SHORT_TERMS / max(len(words), 1)))
    return (hit.score.dense or UNRELATED) + share * length / 2

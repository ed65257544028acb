"""Merges the hits of several spaces into one ranking.

A recall scores words relative to its space: a term that no message of the space has does not count, and the best
message counts as 1. So the lexical parts are made comparable first: terms are weighted by their IDF over all spaces,
and the lexical parts of a space are scaled so that its highest is the share of the question that one of its texts has.
Then the total of a hit is the weighted sum of its parts. Hits of the same space keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from aforesaid.models.recall import Explanation, Hit, Hits, Score
from aforesaid.recall.bm25 import idf
from aforesaid.recall.fuse import Weights
from aforesaid.recall.merge import mark_duplicates
from aforesaid.text.analyzer import index_terms


@dataclass(frozen=True, slots=True)
class SpaceHits:
    """The hits of a space. `messages` is the number of its messages, and `counts` of its chunks with each term."""

    space: str
    hits: Hits
    messages: int
    counts: Mapping[str, int]


def merge_spaces(found: Sequence[SpaceHits], weights: Weights, limit: int) -> Hits:
    """The best hits of all spaces, best first, without near-duplicates. A warning names its space."""
    terms = _term_weights(found)
    ranked = [hit for one in found for hit in _comparable(one.hits, terms, weights)]
    ranked.sort(key=lambda hit: -hit.score.total)
    hits = [hit for hit, duplicate in mark_duplicates((hit, hit.text) for hit in ranked) if not duplicate]
    stages = {stage: 0.0 for one in found for stage in one.hits.milliseconds}
    return Hits(
        tuple(hits[:limit]),
        tuple(sorted({name for one in found for name in one.hits.degraded})),
        tuple(f"{one.space}: {warning}" for one in found for warning in one.hits.warnings),
        _joined([one.hits.explanation for one in found if one.hits.explanation is not None]),
        {stage: sum(one.hits.milliseconds.get(stage, 0.0) for one in found) for stage in stages},
    )


def _term_weights(found: Sequence[SpaceHits]) -> dict[str, float]:
    """The IDF of each term over all spaces. Terms that none of them has are left out."""
    total = sum(one.messages for one in found)
    counts = {term: sum(one.counts.get(term, 0) for one in found) for one in found for term in one.counts}
    return {term: idf(min(count, total), total) for term, count in counts.items() if count}


def _comparable(hits: Sequence[Hit], terms: Mapping[str, float], weights: Weights) -> list[Hit]:
    """The hits of one space with comparable scores. A hit has at least the total of those after it."""
    shares = [_share(hit.text if hit.message is None else hit.message.text, terms) for hit in hits]
    messages = [(hit.score.lexical, share) for hit, share in zip(hits, shares, strict=True) if hit.kind == "message"]
    highest = max((lexical for lexical, _ in messages), default=0.0)
    scale = max((share for _, share in messages), default=0.0) / highest if highest else 0.0
    scores = [
        _total(replace(hit.score, lexical=hit.score.lexical * scale if hit.kind == "message" else share), weights)
        for hit, share in zip(hits, shares, strict=True)
    ]
    totals = list(accumulate((score.total for score in reversed(scores)), max))[::-1]
    return [
        replace(hit, score=replace(score, total=total)) for hit, score, total in zip(hits, scores, totals, strict=True)
    ]


def _share(text: str, terms: Mapping[str, float]) -> float:
    """The share of the question's terms that a text has, by weight. A term that ends in `*` matches by prefix."""
    whole, present = sum(terms.values()), set(index_terms(text))
    prefixes = tuple(term[:-1] for term in terms if term.endswith("*"))
    present |= {f"{prefix}*" for prefix in prefixes if any(term.startswith(prefix) for term in present)}
    return sum(weight for term, weight in terms.items() if term in present) / whole if whole else 0.0


def _total(score: Score, weights: Weights) -> Score:
    return replace(score, total=sum(weight * getattr(score, name) for name, weight in weights.counted()))


def _joined(explanations: Sequence[Explanation]) -> Explanation | None:
    if not explanations:
        return None
    counts = {
        name: sum(getattr(one, name) for one in explanations) for name in ("messages", "candidates", "duplicates")
    }
    return replace(explanations[0], **counts)

"""Fuses the parts of a score into one total. Each part is between 0 and 1 and stays visible.

The inner weights were tuned on LoCoMo and LongMemEval; see docs/how-it-works.md. Changing any weight by a third changes
recall@10 by less than one percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from aforesaid.models.recall import Score
from aforesaid.recall.bm25 import Column, DenseScores, LexicalScores, Mask, Positions
from aforesaid.text.identifiers import identifiers

LEXICAL_WEIGHTS = {"own": 0.5, "pair": 0.35, "window": 0.6, "session": 0.05}
BOOST_WEIGHT = 0.35
DENSE_WEIGHTS = {"own": 0.25, "session": 0.4}
ANSWER_WEIGHT = 0.7  # share of a question's similarity that the message after it gets
FULL_SCORE = 0.5  # the best message counts as 1 only if its lexical score is at least this
RANK_CONSTANT = 60
# The probability that a hit answers the query, as a logistic function of its total. tools/train_recall.py fits them.
RELEVANCE_SLOPE, RELEVANCE_CENTRE = 10.04, 0.980


@dataclass(frozen=True, slots=True)
class Weights:
    dense: float
    lexical: float
    identifier: float
    recency: float = 0.0
    importance: float = 0.0
    access: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    statement: float = 0.0

    def counted(self) -> list[tuple[str, float]]:
        return [(field.name, weight) for field in fields(self) if (weight := getattr(self, field.name))]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """The parts of many messages' scores, one column for each part."""

    dense: Column
    lexical: Column
    identifier: Column
    recency: Column
    importance: Column
    access: Column
    speaker: Column
    time: Column
    statement: Column

    def total(self, weights: Weights, *, rank_fusion: bool = False) -> Column:
        """The weighted sum of the parts, or their reciprocal rank fusion."""
        if rank_fusion:
            return self.rank_fused(weights)
        total = np.zeros(len(self.dense))
        for name, weight in weights.counted():
            part = getattr(self, name)
            if part.any():
                total += weight * part
        return total

    def rank_fused(self, weights: Weights) -> Column:
        total = np.zeros(len(self.dense))
        for name, weight in weights.counted():
            part = getattr(self, name)
            _, rank = np.unique(-part, return_inverse=True)
            total += weight * (part > 0) * (RANK_CONSTANT + 1) / (RANK_CONSTANT + 1 + rank)
        return total

    def at(self, positions: Positions) -> ScoreColumns:
        return ScoreColumns(*(getattr(self, field.name)[positions] for field in fields(self)))

    def scores(self, totals: Column, relevance: Column) -> list[Score]:
        columns = [getattr(self, field.name).tolist() for field in fields(self)]
        return [Score(*values) for values in zip(totals.tolist(), *columns, relevance.tolist(), strict=True)]


def relevance_of_total(total: Column) -> Column:
    """The relevance of hits that no reranker scores. It rises with the total."""
    relevance: Column = 1.0 / (1.0 + np.exp(RELEVANCE_SLOPE * (RELEVANCE_CENTRE - total)))
    return relevance


def shift_relevance(relevance: Column, by: Column) -> Column:
    """The relevance of hits whose totals rise `by` these amounts."""
    if not by.any():
        return relevance
    odds = np.exp(RELEVANCE_SLOPE * by) * relevance / np.maximum(1.0 - relevance, 1e-9)
    return np.asarray(odds / (1.0 + odds))


def lexical_part(scores: LexicalScores, boost: Column | None, inside: Mask) -> Column:
    """The weighted BM25 scores. The best message inside counts as 1, unless its score is below `FULL_SCORE`."""
    part = _weighted(scores, LEXICAL_WEIGHTS)
    if boost is not None:
        part += BOOST_WEIGHT * boost
    best = float(part[inside].max(initial=0.0))
    return np.minimum(part / max(best, FULL_SCORE), 1.0)


def dense_part(scores: DenseScores, answered: Column | None = None) -> Column:
    """The weighted similarities, from 0 (opposite) over 0.5 (unrelated) to 1 (same)."""
    part = _weighted(scores, DENSE_WEIGHTS)
    if answered is not None:
        part += ANSWER_WEIGHT * answered
    return np.clip((1 + part) / 2, 0.0, 1.0)


def _weighted(scores: LexicalScores | DenseScores, weights: dict[str, float]) -> Column:
    total: Column = sum((weight * getattr(scores, name) for name, weight in weights.items()), np.zeros(len(scores.own)))
    return total / sum(weights.values())


def identifier_share(text: str, names: Sequence[str]) -> float:
    """The share of the given identifiers that a text has."""
    return len(set(names) & set(identifiers(text))) / len(names) if names else 0.0

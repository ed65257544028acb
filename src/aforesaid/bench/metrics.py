"""Metrics of rankings and of extraction, all between 0 and 1, and reciprocal rank fusion."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence


def recall(found: Sequence[str], gold: Collection[str], at: int) -> float:
    """The share of the gold among the first `at`."""
    return len(set(found[:at]) & set(gold)) / len(set(gold))


def recall_all(found: Sequence[str], gold: Collection[str], at: int) -> float:
    """1 if all of the gold is among the first `at`."""
    return float(set(gold) <= set(found[:at]))


def recall_any(found: Sequence[str], gold: Collection[str], at: int) -> float:
    """1 if any of the gold is among the first `at`."""
    return float(bool(set(gold) & set(found[:at])))


def ndcg(found: Sequence[str], gold: Collection[str], at: int) -> float:
    """Like recall, but earlier ranks count more."""
    relevant = set(gold)
    gain = sum(1 / math.log2(rank + 2) for rank, id in enumerate(found[:at]) if id in relevant)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(at, len(relevant))))
    return gain / best


def distinct(found: Sequence[str]) -> list[str]:
    """Removes duplicates; each id keeps its first place."""
    return list(dict.fromkeys(found))


def fused(rankings: Sequence[Sequence[str]], constant: int = 60) -> list[str]:
    """Reciprocal rank fusion, which joins rankings without their scores."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id in enumerate(ranking):
            scores[id] = scores.get(id, 0.0) + 1 / (constant + rank + 1)
    return sorted(scores, key=lambda id: (-scores[id], id))


class PrecisionRecall:
    """Precision and recall of counts; None if nothing was found, or nothing should be found."""

    __slots__ = ()
    wanted: int
    found: int
    right: int

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.wanted if self.wanted else None

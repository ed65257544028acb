"""Ranking metrics: recall, nDCG and reciprocal rank fusion. All metrics lie between 0 and 1."""

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
    wanted = set(gold)
    gain = sum(1 / math.log2(rank + 2) for rank, one in enumerate(found[:at]) if one in wanted)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(at, len(wanted))))
    return gain / best


def distinct(found: Sequence[str]) -> list[str]:
    """Removes duplicates; each id keeps its first place."""
    return list(dict.fromkeys(found))


def fused(rankings: Sequence[Sequence[str]], constant: int = 60) -> list[str]:
    """Reciprocal rank fusion, which joins rankings without their scores."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (constant + rank + 1)
    return sorted(scores, key=lambda one: (-scores[one], one))

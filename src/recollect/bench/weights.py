"""Which weights rank best: a grid over those that add up to one, then a finer one around the best.

Every question is asked once. A hit's parts are visible, so that any weights can be tried on what it gave.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from recollect import Hits

AT = 5  # nDCG@5
COARSE, FINE = 0.1, 0.02
AS_GOOD = 0.001  # of nDCG: too little to be worth a change
PARTS = ("dense", "lexical", "identifier")

Weights = tuple[float, float, float]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tried:
    """What one question gave: the parts of each hit, what else its score is made of, which hits are relevant, and how
    many there should be. `fold` is whom it is held out with."""

    parts: Array
    rest: Array
    relevant: NDArray[np.bool_]
    wanted: int
    fold: str

    def ndcg(self, weights: Array) -> Array:
        """For each row of weights. Equal scores stay in the order in which they were found."""
        scores = weights @ self.parts.T + self.rest
        order = np.argsort(-scores, axis=1, kind="stable")[:, :AT]
        gains = 1 / np.log2(np.arange(2, AT + 2))
        found = self.relevant[order]
        return np.asarray(found @ gains[: found.shape[1]] / gains[: min(AT, self.wanted)].sum())


def tried(hits: Hits, relevant: frozenset[str], weights: Weights, fold: str) -> Tried:
    """`weights` are those with which the hits were found: what they do not explain of a score stays as it is."""
    found = [hit for hit in hits if hit.message]
    parts = np.array([[getattr(hit.score, part) for part in PARTS] for hit in found]).reshape(-1, len(PARTS))
    totals = np.array([hit.score.total for hit in found])
    gold = np.array([hit.id in relevant for hit in found], dtype=np.bool_)
    return Tried(parts, totals - parts @ np.array(weights), gold, len(relevant), fold)


def best(questions: Sequence[Tried], now: Weights) -> Weights:
    """The weights with the best mean; of those that are as good, the nearest to the weights of now."""
    total = sum(now) or 1.0
    rough = _better(questions, now, [_scaled(point, total) for point in simplex(COARSE)])
    near = [_scaled(point, total) for point in simplex(FINE) if _near(_scaled(point, total), rough, total)]
    return _better(questions, now, [rough, *near])


def means(questions: Sequence[Tried], points: Sequence[Weights]) -> Array:
    """The mean nDCG@5 of each point."""
    weights = np.array(points)
    return np.asarray(np.mean([question.ndcg(weights) for question in questions], axis=0))


def held_out(questions: Sequence[Tried], now: Weights, folds: int) -> float:
    """The mean nDCG@5 of questions under weights that were chosen without them and their whole fold."""
    names = sorted({question.fold for question in questions})
    number = {name: at % folds for at, name in enumerate(names)}
    scores: list[float] = []
    for fold in range(min(folds, len(names))):
        chosen = best([one for one in questions if number[one.fold] != fold], now)
        scores += [float(one.ndcg(np.array([chosen]))[0]) for one in questions if number[one.fold] == fold]
    return float(np.mean(scores))


def simplex(step: float) -> list[Weights]:
    """All weights in steps that add up to one."""
    count = round(1 / step)
    return [
        (a / count, b / count, (count - a - b) / count)
        for a, b in product(range(count + 1), repeat=2)
        if a + b <= count
    ]


def _better(questions: Sequence[Tried], now: Weights, points: Sequence[Weights]) -> Weights:
    candidates = [now, *points]
    scores = means(questions, candidates)
    as_good = [point for point, score in zip(candidates, scores, strict=True) if score >= scores.max() - AS_GOOD]
    return min(as_good, key=lambda point: math.dist(point, now))


def _scaled(point: Weights, total: float) -> Weights:
    a, b, c = (round(one * total, 4) for one in point)
    return a, b, c


def _near(point: Weights, centre: Weights, total: float) -> bool:
    return all(abs(a - b) <= COARSE * total + 1e-9 for a, b in zip(point, centre, strict=True))

"""One score out of many parts, each between 0 and 1, each visible.

The inner weights were found on LoCoMo and LongMemEval together and rounded; see docs/how-it-works.md. Around them the
result is flat: a third more or less of any of them changes recall@10 by less than one percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from recollect.models import Score
from recollect.recall.grains import Dense, Lexical
from recollect.text.identifiers import identifiers

GRAINS = {"own": 0.5, "pair": 0.35, "window": 0.6, "session": 0.05}
BOOST = 0.35
SIMILARITIES = {"own": 0.25, "session": 0.4}
ANSWERED = 0.7  # how much of the similarity of a question goes to the message after it
FULL = 0.5  # where even the best message has less than this of the question, it does not count as 1
RANK_CONSTANT = 60

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score counts."""

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
        """The parts that have a weight."""
        return [(one.name, weight) for one in fields(self) if (weight := getattr(self, one.name))]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of many messages' scores, one column each."""

    dense: Column
    lexical: Column
    identifier: Column
    recency: Column
    importance: Column
    access: Column
    speaker: Column
    time: Column
    statement: Column

    def total(self, weights: Weights) -> Column:
        """The weighted sum of the parts."""
        total = np.zeros(len(self.dense))
        for name, weight in weights.counted():
            part = getattr(self, name)
            if part.any():
                total += weight * part
        return total

    def fused(self, weights: Weights) -> Column:
        """Reciprocal rank fusion of the parts that have a weight, instead of their sum."""
        total = np.zeros(len(self.dense))
        for name, weight in weights.counted():
            part = getattr(self, name)
            _, place = np.unique(-part, return_inverse=True)
            total += weight * (part > 0) * (RANK_CONSTANT + 1) / (RANK_CONSTANT + 1 + place)
        return total

    def at(self, positions: NDArray[np.int64]) -> Parts:
        return Parts(*(getattr(self, field.name)[positions] for field in fields(self)))

    def scores(self, totals: Column) -> list[Score]:
        columns = [getattr(self, field.name).tolist() for field in fields(self)]
        return [Score(total, *parts) for total, *parts in zip(totals.tolist(), *columns, strict=True)]


def lexical_part(found: Lexical, boost: Column | None, inside: NDArray[np.bool_]) -> Column:
    """What the words say. The best message counts as 1, unless even that one has little of the question."""
    weight = sum(GRAINS.values())
    part: Column = sum((share * getattr(found, name) for name, share in GRAINS.items()), np.zeros(len(found.own)))
    part /= weight
    if boost is not None:
        part += BOOST * boost
    best = float(part[inside].max(initial=0.0))
    return np.minimum(part / max(best, FULL), 1.0)


def dense_part(found: Dense, answered: Column | None = None) -> Column:
    """What the meaning says: 0 for the opposite, a half for something else, 1 for the same."""
    weight = sum(SIMILARITIES.values())
    part: Column = sum((share * getattr(found, name) for name, share in SIMILARITIES.items()), np.zeros(len(found.own)))
    part /= weight
    if answered is not None:
        part += ANSWERED * answered
    return np.clip((1 + part) / 2, 0.0, 1.0)


def share(text: str, wanted: Sequence[str]) -> float:
    """How many of the wanted identifiers a text has, as a share."""
    return len(set(wanted) & set(identifiers(text))) / len(wanted) if wanted else 0.0

"""Whether a space holds anything that answers a question: a logistic function of the question and its best hits.

A context is better empty than full of what merely looks alike. The function was fitted to the project's own corpus and
to LongMemEval, with the questions to one space asked in another; tools/train_recall.py prints the weights."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from aforesaid.recall.bm25 import Column

FIRST = 10  # hits that count
FEWEST_MESSAGES = 50  # of a space that was trained on; in a smaller one, nothing is left out
LEAST = -3.0  # the logit below which nothing answers: it loses 0.005 of the evidence of the corpus, and 0.001 elsewhere
WEIGHTS = {
    "relevance": 2.23, "total": -7.05, "spread": 4.92, "speaker": 4.09, "known_terms": 2.85, "terms": 0.16,
    "lexical_best": 4.62, "messages": -1.83, "first_person": -5.99, "second_person": -0.52,
}  # fmt: skip
BIAS = 13.58
TINY = 1e-6


def is_answerable(features: Mapping[str, Column], relevance: Column) -> bool:
    """`features` and `relevance` are those of the candidates, one row each."""
    if np.expm1(features["messages"][0]) < FEWEST_MESSAGES:
        return True
    values = question_features(features, relevance)
    return float(values @ np.fromiter(WEIGHTS.values(), float)) + BIAS >= LEAST


def question_features(features: Mapping[str, Column], relevance: Column) -> NDArray[np.float64]:
    """One number for each of `WEIGHTS`."""
    first = np.argsort(-relevance, kind="stable")[:FIRST]
    totals = features["total"][first]
    found = {
        "relevance": np.log(relevance[first].sum() + TINY),
        "total": totals.max(),
        "spread": totals[0] - totals[-1],
        "speaker": features["part_speaker"][first].max(),
    }
    return np.array([found[name] if name in found else features[name][0] for name in WEIGHTS])

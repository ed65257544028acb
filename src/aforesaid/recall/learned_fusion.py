"""The default reranker: a logistic function of the weighted total, corrected by gradient-boosted symmetric trees over
the features of a candidate. A higher part of the score never lowers the relevance.

All nodes of one level of a symmetric tree ask the same question, so a tree is a list of questions and a table: the
answers, as bits, are the row of the table. `fusion.json` holds the trees. tools/train_recall.py fits them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.ports import RerankRequest

TOTAL = "total"  # the feature that the trees correct
LOOKUP_TERMS = 4  # of a single word or identifier; a question without spaces has more


class LearnedFusion:
    """Scores a candidate with the probability that it answers the query. The trees were trained on questions, so they
    are not asked about a single word."""

    def __init__(self, table: Mapping[str, Json]) -> None:
        self._names = table["features"]
        self._features = np.array(table["split_features"], np.int64).T  # levels × trees
        self._borders = np.array(table["split_borders"], np.float32).T[:, :, None]  # as the trees were trained
        leaves = np.array(table["leaves"], np.float64)  # trees × 2 ** levels
        self._leaves, self._first_leaf = leaves.ravel(), np.arange(len(leaves)) * leaves.shape[1]
        self._bits = (1 << np.arange(len(self._features))).astype(np.uint8)
        self._total, self._slope, self._bias = self._names.index(TOTAL), float(table["slope"]), float(table["bias"])

    @property
    def name(self) -> str:
        return "learned"

    def rerank(self, request: RerankRequest) -> Sequence[float]:
        features = request.features
        if len(request.query.split()) == 1 and features["terms"][0] <= LOOKUP_TERMS:
            scores = _logistic(self._slope * features[TOTAL] + self._bias)
        else:
            scores = self.probabilities(np.column_stack([features[name] for name in self._names]))
        return list(map(float, scores))

    @property
    def features(self) -> Sequence[str]:
        """The names of the features that the trees read, in the order of the columns of `probabilities`."""
        return tuple(self._names)

    def probabilities(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each row of features."""
        logits = self._leaves.take(np.add(self.leaf_rows(matrix), self._first_leaf, order="C")).sum(axis=1)
        return _logistic(logits + self.curve(matrix))

    def leaf_rows(self, matrix: NDArray[np.float64]) -> NDArray[np.uint8]:
        """The row of each tree's table, for each row of features. Compares whole columns, which are fast to copy."""
        columns = matrix.T.astype(np.float32, order="C")
        answers = columns[self._features] > self._borders  # levels × trees × rows
        return np.asarray(np.einsum("ltr,l->rt", answers.view(np.uint8), self._bits))

    def curve(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The logit of each row before the trees correct it."""
        return np.asarray(self._slope * matrix[:, self._total] + self._bias)


def _logistic(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-logits)))


@cache
def learned_fusion() -> LearnedFusion:
    """The fusion of this version of the package."""
    return LearnedFusion(fusion_table())


def fusion_table() -> Mapping[str, Json]:
    """The trees of this version of the package."""
    table: Mapping[str, Json] = json.loads(files(__package__).joinpath("fusion.json").read_text("utf-8"))
    return table


def read_fusion(path: Path) -> LearnedFusion:
    """The fusion in a file that `aforesaid tune --fusion` wrote."""
    try:
        fusion = LearnedFusion(json.loads(path.read_text("utf-8")))
    except OSError as exc:
        raise InvalidInput(f"the fusion {path} cannot be read: {exc.strerror}") from exc
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as exc:
        raise InvalidInput(f"{path} is not a fusion; `aforesaid tune --fusion` writes one") from exc
    if unknown := sorted(set(fusion.features) - set(fusion_table()["features"])):
        raise InvalidInput(f"the fusion {path} is of another version (features: {', '.join(unknown)}); refit it")
    return fusion

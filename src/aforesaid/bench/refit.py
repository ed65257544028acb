"""`aforesaid tune --fusion`: the learned fusion with leaves that fit a labelled set, checked on held-out questions.

The trees keep their splits. Their leaves move from the shipped values towards the labels, the less the fewer labels
there are: each leaf is a block of a ridge regression, and gets one Newton step in each pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aforesaid.bench import Progress
from aforesaid.bench.labels import Label, LabelSet
from aforesaid.bench.tune import FOLDS, TuningStore, fold_numbers, ndcg_at, tuning_store
from aforesaid.errors import InvalidInput
from aforesaid.models.json import Json
from aforesaid.ports import RerankRequest
from aforesaid.recall.features import POOL
from aforesaid.recall.learned_fusion import LearnedFusion, fusion_table

RIDGE = 200.0  # holds a leaf at its shipped value as this many uncertain candidates would
PASSES = 3
DIGITS = 5


@dataclass(slots=True)
class FeatureRecorder:
    """A reranker that keeps the features of the candidates, and scores them in their order."""

    requests: list[RerankRequest] = field(default_factory=list)
    name: str = "recorder"

    def rerank(self, request: RerankRequest) -> Sequence[float]:
        self.requests.append(request)
        return [1 / (rank + 1) for rank in range(len(request.texts))]


@dataclass(frozen=True, slots=True, eq=False)
class RefitResult:
    """The measured nDCG@5 with the present settings (`before`) and with the refitted fusion (`after`). `held_out` is
    that of questions whose fold did not take part in the refit; None if there is one fold. `missing` relevant messages
    are not among the candidates."""

    questions: int
    folds: int
    before: float
    after: float
    held_out: float | None
    missing: int
    table: Mapping[str, Json]

    @property
    def better(self) -> bool:
        return self.after > self.before and (self.held_out is None or self.held_out > self.before)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCandidates:
    """The features of the candidates of one question, and which of them are relevant."""

    features: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    wanted: int
    fold: int


def refit(labels: LabelSet, store: str, progress: Progress) -> RefitResult:
    """`store` is the file that the questions are about, if they have no haystacks of their own."""
    recorder, table = FeatureRecorder(), fusion_table()
    with tuning_store(labels, store, progress) as tuning:
        before = tuning.ndcg(labels)
        with tuning.reopened(recorder) as recording:
            questions = list(_candidates(recording, recorder, labels, table["features"], progress))
        fitted = refit_leaves(table, questions)
        with tuning.reopened(LearnedFusion(fitted)) as measured:
            after = measured.ndcg(labels)
    folds = len({question.fold for question in questions})
    return RefitResult(
        questions=len(questions),
        folds=folds,
        before=before,
        after=after,
        held_out=_held_out(table, questions) if folds > 1 else None,
        missing=sum(question.wanted - int(question.relevant.sum()) for question in questions),
        table=fitted,
    )


def refit_leaves(table: Mapping[str, Json], questions: Sequence[LabelledCandidates]) -> dict[str, Json]:
    """The table with leaves that fit the questions."""
    fusion, shipped = LearnedFusion(table), np.array(table["leaves"], np.float64)
    features = np.vstack([question.features for question in questions])
    relevant = np.concatenate([question.relevant for question in questions]).astype(np.float64)
    rows, leaves = fusion.leaf_rows(features).T.astype(np.int64), shipped.copy()  # trees × candidates
    logits = fusion.curve(features) + sum(leaf[row] for leaf, row in zip(leaves, rows, strict=True))
    size = shipped.shape[1]
    for _ in range(PASSES):
        for tree, row in enumerate(rows):
            expected = 1 / (1 + np.exp(-logits))
            gradient = np.bincount(row, relevant - expected, size) - RIDGE * (leaves[tree] - shipped[tree])
            step = gradient / (np.bincount(row, expected * (1 - expected), size) + RIDGE)
            leaves[tree] += step
            logits += step[row]
    return {**table, "leaves": [[round(value, DIGITS) for value in leaf] for leaf in leaves.tolist()]}


def _held_out(table: Mapping[str, Json], questions: Sequence[LabelledCandidates]) -> float:
    """The mean nDCG@5 of questions with leaves that were fitted without their fold."""
    scores: list[float] = []
    for fold in sorted({question.fold for question in questions}):
        fusion = LearnedFusion(refit_leaves(table, [question for question in questions if question.fold != fold]))
        for question in (each for each in questions if each.fold == fold):
            order = np.argsort(-fusion.probabilities(question.features), kind="stable")
            scores.append(ndcg_at(question.relevant[order], question.wanted))
    return float(np.mean(scores))


def _candidates(
    tuning: TuningStore, recorder: FeatureRecorder, labels: LabelSet, names: Sequence[str], progress: Progress
) -> Iterator[LabelledCandidates]:
    folds = fold_numbers(labels, FOLDS)
    for number, (label, fold) in enumerate(zip(labels.labels, folds, strict=True), 1):
        hits = tuning.space(label.space).recall(label.query, POOL, kinds=["message"])
        if hits and not recorder.requests:
            raise InvalidInput(_not_reranked(label))
        relevant = {hit.message.text for hit in hits if hit.message and hit.id in label.relevant}
        features, texts = np.empty((0, len(names))), list[str]()
        if recorder.requests:
            request = recorder.requests.pop()
            features = np.column_stack([request.features[name] for name in names])[:POOL]
            texts = list(request.texts[:POOL])
        gold = np.array([text in relevant for text in texts], np.bool_)
        yield LabelledCandidates(features, gold, max(len(label.relevant), int(gold.sum())), fold)
        progress(number, len(labels.labels))


def _not_reranked(label: Label) -> str:
    return (
        f"recall in the space {label.space!r} does not use the learned fusion: its weights, hybrid and fusion must be "
        f"the defaults (`aforesaid settings --space {label.space}`), and its messages must have vectors"
    )

"""`aforesaid tune`: the recall weights that rank a labelled set best, checked on held-out questions.

The weights come from a grid search. A store is tuned on a copy of its file, so the original does not change."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from aforesaid import Hits, Memory, Space
from aforesaid.bench import Progress, metrics
from aforesaid.bench.dataset import FixedClock, load_haystack
from aforesaid.bench.labels import LabelSet
from aforesaid.bench.systems import found_messages
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.memory import is_address
from aforesaid.ports import Reranker
from aforesaid.temporary_files import TemporaryFiles

NDCG_DEPTH = 5  # nDCG@5
COARSE, FINE = 0.1, 0.02
NDCG_TOLERANCE = 0.001  # a smaller gain is not worth a change
PARTS = ("dense", "lexical", "identifier")
GAINS = 1 / np.log2(np.arange(2, NDCG_DEPTH + 2))

Weights = tuple[float, float, float]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """The scores of one question: the parts of each hit, the rest of its score, which hits are relevant, and how many
    relevant messages there are. Questions of the same `fold` are held out together."""

    parts: FloatArray
    rest: FloatArray
    relevant: NDArray[np.bool_]
    wanted: int
    fold: int

    def ndcg(self, weights: FloatArray) -> FloatArray:
        """The nDCG@5 for each row of weights. Hits with equal scores keep their order."""
        scores = weights @ self.parts.T + self.rest
        order = np.argsort(-scores, axis=1, kind="stable")[:, :NDCG_DEPTH]
        relevant = self.relevant[order]
        return np.asarray(relevant @ GAINS[: relevant.shape[1]] / GAINS[: self.wanted].sum())


def question_scores(hits: Hits, relevant: frozenset[str], weights: Weights, fold: int) -> QuestionScores:
    """`weights` are those of the recall. The part of a score that they do not explain is kept as it is."""
    messages = [hit for hit in hits if hit.message]
    parts = np.array([[getattr(hit.score, part) for part in PARTS] for hit in messages]).reshape(-1, len(PARTS))
    totals = np.array([hit.score.total for hit in messages])
    gold = np.array([hit.id in relevant for hit in messages], dtype=np.bool_)
    return QuestionScores(parts, totals - parts @ np.array(weights), gold, len(relevant), fold)


def best_weights(questions: Sequence[QuestionScores], now: Weights) -> Weights:
    """The weights with the best mean; among equally good ones, the nearest to the present weights."""
    total = sum(now) or 1.0
    rough = _best_of(questions, now, [_scale(point, total) for point in simplex(COARSE)])
    near = [_scale(point, total) for point in simplex(FINE) if _is_near(_scale(point, total), rough, total)]
    return _best_of(questions, now, [rough, *near])


def mean_ndcg(questions: Sequence[QuestionScores], points: Sequence[Weights]) -> FloatArray:
    """The mean nDCG@5 of each point."""
    weights = np.array(points)
    return np.asarray(np.mean([question.ndcg(weights) for question in questions], axis=0))


def held_out_ndcg(questions: Sequence[QuestionScores], now: Weights) -> float:
    """The mean nDCG@5 of questions with weights that were chosen without their fold."""
    scores: list[float] = []
    for fold in sorted({question.fold for question in questions}):
        chosen = best_weights([question for question in questions if question.fold != fold], now)
        held_out = [question for question in questions if question.fold == fold]
        scores += [float(question.ndcg(np.array([chosen]))[0]) for question in held_out]
    return float(np.mean(scores))


def ndcg_at(ranked: NDArray[np.bool_], wanted: int) -> float:
    """The nDCG@5 of a ranking: which of its hits are relevant, of `wanted` relevant messages."""
    first = ranked[:NDCG_DEPTH]
    return float(first @ GAINS[: len(first)] / GAINS[:wanted].sum())


def fold_numbers(labels: LabelSet, folds: int) -> list[int]:
    """The fold of each label. The spaces are held out together, or the questions if there is one space."""
    several = len(labels.spaces) > 1
    names = [label.space if several else str(number) for number, label in enumerate(labels.labels)]
    number = {name: at % folds for at, name in enumerate(sorted(set(names)))}
    return [number[name] for name in names]


def simplex(step: float) -> list[Weights]:
    """All weights in steps of `step` with the sum 1."""
    count = round(1 / step)
    return [
        (a / count, b / count, (count - a - b) / count)
        for a, b in product(range(count + 1), repeat=2)
        if a + b <= count
    ]


def _best_of(questions: Sequence[QuestionScores], now: Weights, points: Sequence[Weights]) -> Weights:
    candidates = [now, *points]
    scores = mean_ndcg(questions, candidates)
    as_good = [point for point, score in zip(candidates, scores, strict=True) if score >= scores.max() - NDCG_TOLERANCE]
    return min(as_good, key=lambda point: math.dist(point, now))


def _scale(point: Weights, total: float) -> Weights:
    a, b, c = (round(weight * total, 4) for weight in point)
    return a, b, c


def _is_near(point: Weights, centre: Weights, total: float) -> bool:
    return all(abs(a - b) <= COARSE * total + 1e-9 for a, b in zip(point, centre, strict=True))


DEPTH = 200  # hits that are reordered
RECALL_LIMIT = 10  # hits of the recalls that are measured
FOLDS = 5


@dataclass(frozen=True, slots=True)
class TuneResult:
    """The measured nDCG@5 with the present settings (`before`), and with the weighted formula and the best weights
    (`after`).

    `expected` is the prediction of the grid search. `held_out` is the result on folds that were not used for tuning;
    None if there is one fold. `missing` relevant messages were not found at all.
    """

    questions: int
    folds: int
    now: Weights
    best: Weights
    before: float
    after: float
    expected: float
    held_out: float | None
    missing: int

    @property
    def better(self) -> bool:
        return self.after > self.before

    @property
    def settings(self) -> Mapping[str, float | str]:
        """The weighted formula, with the best weights."""
        weights = {f"weight_{part}": weight for part, weight in zip(PARTS, self.best, strict=True)}
        return {"fusion": "weighted", **weights}


def tune(labels: LabelSet, store: str, progress: Progress) -> TuneResult:
    """`store` is the file that the questions are about, if they have no haystacks of their own."""
    with tuning_store(labels, store, progress) as memory:
        weights = {space: _weights(memory.space(space)) for space in labels.spaces}
        questions = list(_ask(memory, labels, weights, progress))
        now = weights[labels.spaces[0]]
        chosen, before = best_weights(questions, now), memory.ndcg(labels)
        memory.set_weights(labels.spaces, chosen)
        folds = len({question.fold for question in questions})
        return TuneResult(
            questions=len(questions),
            folds=folds,
            now=now,
            best=chosen,
            before=before,
            after=memory.ndcg(labels),
            expected=float(mean_ndcg(questions, [chosen])[0]),
            held_out=held_out_ndcg(questions, now) if folds > 1 else None,
            missing=sum(question.wanted - int(question.relevant.sum()) for question in questions),
        )


class TuningStore:
    """A temporary store whose clock shows the time of the question."""

    def __init__(self, path: Path, times: Mapping[str, datetime | None], reranker: Reranker | None = None) -> None:
        self._path = path
        self._times = times
        self._clock = FixedClock()
        self.memory = Memory(path, worker=False, synchronous="normal", clock=self._clock, reranker=reranker)

    @contextmanager
    def reopened(self, reranker: Reranker) -> Iterator[TuningStore]:
        """The same store with another reranker."""
        tuning = TuningStore(self._path, self._times, reranker)
        with tuning.memory:
            yield tuning

    def space(self, name: str) -> Space:
        self._clock.set(self._times.get(name))
        return self.memory.space(name)

    def ndcg(self, labels: LabelSet) -> float:
        """The mean nDCG@5 of recall."""
        rankings = [self.space(label.space).recall(label.query, RECALL_LIMIT) for label in labels.labels]
        return fmean(
            metrics.ndcg(found_messages(hits), label.relevant, NDCG_DEPTH)
            for hits, label in zip(rankings, labels.labels, strict=True)
        )

    def set_weights(self, spaces: Sequence[str], weights: Weights) -> None:
        for space in spaces:
            self.space(space).set("fusion", "weighted")
            for part, weight in zip(PARTS, weights, strict=True):
                self.space(space).set(f"weight_{part}", weight)


@contextmanager
def tuning_store(labels: LabelSet, store: str, progress: Progress) -> Iterator[TuningStore]:
    """A store with the haystacks, or a copy of the user's store."""
    with TemporaryFiles(":memory:").folder() as folder:
        path = folder / "tune.db"
        if not labels.haystacks:
            _copy_store(store, path)
        tuning = TuningStore(path, {haystack.space: haystack.now for haystack in labels.haystacks})
        with tuning.memory as memory:
            for done, haystack in enumerate(labels.haystacks, 1):
                load_haystack(memory, haystack)
                progress(done, len(labels.haystacks))
            for space in labels.spaces:
                if memory.space(space).info() is None:
                    raise NotFound(f"there is no space {space!r} in {store}; `aforesaid spaces` lists them")
            yield tuning


def _copy_store(store: str, path: Path) -> None:
    """Copies the file while others may write to it. The original must not be open in this process."""
    if is_address(store):
        raise InvalidInput("tuning reads a file; copy the store into one first: aforesaid copy postgresql://… tune.db")
    if not Path(store).is_file():
        raise NotFound(f"no store at {store}; name the file that the questions are about with --store")
    try:
        with (
            closing(sqlite3.connect(Path(store).absolute().as_uri() + "?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(path)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as exc:
        raise InvalidInput(f"{store} cannot be copied for tuning: {exc}") from exc


def _ask(
    memory: TuningStore, labels: LabelSet, weights: Mapping[str, Weights], progress: Progress
) -> Iterator[QuestionScores]:
    for number, (label, fold) in enumerate(zip(labels.labels, fold_numbers(labels, FOLDS), strict=True)):
        hits = memory.space(label.space).recall(label.query, DEPTH)
        yield question_scores(hits, label.relevant, weights[label.space], fold)
        progress(number + 1, len(labels.labels))


def _weights(space: Space) -> Weights:
    values = {setting.name: float(setting.value) for setting in space.settings() if setting.name.startswith("weight_")}
    return values["weight_dense"], values["weight_lexical"], values["weight_identifier"]

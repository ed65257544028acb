"""`recollect tune`: the weights of recall that rank a labelled set best, and whether that holds elsewhere.

A store is tuned on a copy of its file: the questions leave no trace in the original.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from recollect import Memory, Space
from recollect.bench import metrics
from recollect.bench.corpus import Standing, fill
from recollect.bench.labels import Labels
from recollect.bench.systems import found
from recollect.bench.weights import AT, PARTS, Tried, Weights, best, held_out, means, tried
from recollect.errors import InvalidInput, NotFound
from recollect.memory import is_address

Progress = Callable[[int, int], None]  # done, total

DEPTH = 200  # hits of which any order is tried
ASKED = 10  # hits that recall is asked for to see what one gets
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Tuned:
    """nDCG@5 as recall ranks now (`before`) and with the best weights (`after`), both by asking.

    `expected` is what the search promised for the best, `held_out` what tuning gives on folds that it has not seen;
    None where there is but one. `missing` relevant messages were not found at all.
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
    def settings(self) -> Mapping[str, float]:
        return {f"weight_{part}": weight for part, weight in zip(PARTS, self.best, strict=True)}


def tune(labels: Labels, store: str, progress: Progress) -> Tuned:
    """`store` is the file that the questions are about, where they bring no haystacks of their own."""
    with _opened(labels, store, progress) as memory:
        weights = {space: _weights(memory.space(space)) for space in labels.spaces}
        questions = list(_ask(memory, labels, weights, progress))
        now = weights[labels.spaces[0]]
        chosen, before = best(questions, now), memory.ndcg(labels)
        memory.weigh(labels.spaces, chosen)
        folds = len({question.fold for question in questions})
        return Tuned(
            questions=len(questions),
            folds=min(FOLDS, folds),
            now=now,
            best=chosen,
            before=before,
            after=memory.ndcg(labels),
            expected=float(means(questions, [chosen])[0]),
            held_out=held_out(questions, now, FOLDS) if folds > 1 else None,
            missing=sum(question.wanted - int(question.relevant.sum()) for question in questions),
        )


class Trying:
    """A store that may be asked anything and set to anything. Its clock stands at the moment of the question."""

    def __init__(self, path: Path, moments: Mapping[str, datetime | None]) -> None:
        self._moments = moments
        self._clock = Standing()
        self.memory = Memory(path, worker=False, synchronous="normal", clock=self._clock)

    def space(self, name: str) -> Space:
        self._clock.set(self._moments.get(name))
        return self.memory.space(name)

    def ndcg(self, labels: Labels) -> float:
        """What one gets from recall."""
        return fmean(
            metrics.ndcg(found(self.space(one.space).recall(one.query, ASKED)), one.relevant, AT)
            for one in labels.labels
        )

    def weigh(self, spaces: Sequence[str], weights: Weights) -> None:
        for space in spaces:
            for part, weight in zip(PARTS, weights, strict=True):
                self.space(space).set(f"weight_{part}", weight)


@contextmanager
def _opened(labels: Labels, store: str, progress: Progress) -> Iterator[Trying]:
    """Filled from the haystacks, or a copy of the user's store."""
    with TemporaryDirectory(prefix="recollect-tune-") as folder:
        path = Path(folder) / "tune.db"
        if not labels.haystacks:
            _copy(store, path)
        trying = Trying(path, {haystack.space: haystack.now for haystack in labels.haystacks})
        with trying.memory as memory:
            for done, haystack in enumerate(labels.haystacks, 1):
                fill(memory, haystack)
                progress(done, len(labels.haystacks))
            for space in labels.spaces:
                if memory.space(space).info() is None:
                    raise NotFound(f"there is no space {space!r} in {store}; `recollect spaces` lists them")
            yield trying


def _copy(store: str, path: Path) -> None:
    """A file of its own, whoever writes meanwhile. The original must not be open in this process."""
    if is_address(store):
        raise InvalidInput("tuning reads a file; copy the store into one first: recollect copy postgresql://… tune.db")
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


def _ask(memory: Trying, labels: Labels, weights: Mapping[str, Weights], progress: Progress) -> Iterator[Tried]:
    """One space alone is held out question by question, several are space by space."""
    several = len(labels.spaces) > 1
    for number, one in enumerate(labels.labels):
        hits = memory.space(one.space).recall(one.query, DEPTH)
        yield tried(hits, one.relevant, weights[one.space], one.space if several else str(number))
        progress(number + 1, len(labels.labels))


def _weights(space: Space) -> Weights:
    values = {setting.name: float(setting.value) for setting in space.settings() if setting.name.startswith("weight_")}
    return values["weight_dense"], values["weight_lexical"], values["weight_identifier"]

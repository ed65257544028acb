"""Asks every question of every system and averages how well the answers were ranked."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from recollect import Memory
from recollect.bench import metrics
from recollect.bench.corpus import Haystack, Question, fill
from recollect.bench.picture import bars
from recollect.bench.systems import systems

Progress = Callable[[int, int], None]  # done, total
Metric = Callable[[Sequence[str], Question, Mapping[str, str]], float]  # ranking, question, session of each message

ALL = "all"
DEPTH = 100  # messages that a system is asked for: enough for ten sessions


@dataclass(frozen=True, slots=True)
class Scores:
    """Means by system, kind of question and metric. `picture_of` is the metric that the picture shows."""

    title: str
    values: Mapping[str, Mapping[str, Mapping[str, float]]]
    questions: Mapping[str, int]
    picture_of: str

    def to_json(self) -> str:
        return json.dumps({"title": self.title, "questions": self.questions, "scores": self.values}, indent=2)

    def picture(self) -> str:
        note = f"{self.picture_of} over {self.questions[ALL]:,} questions; longer is better"
        rows = [(name, kinds[ALL][self.picture_of], None) for name, kinds in self.values.items()]
        return bars(self.title, rows, note=note, mark=None)

    def plot(self, path: Path) -> Path:
        path.write_text(self.picture(), "utf-8")
        return path


def by_message(measure: Callable[..., float], at: int) -> Metric:
    return lambda found, question, _: measure(found, question.gold, at)


def by_session(measure: Callable[..., float], at: int) -> Metric:
    def value(found: Sequence[str], question: Question, session_of: Mapping[str, str]) -> float:
        gold = {session_of[message] for message in question.gold}
        return measure(metrics.distinct([session_of[message] for message in found]), gold, at)

    return value


def evaluate(
    title: str, haystacks: Iterable[Haystack], wanted: Mapping[str, Metric], total: int, progress: Progress
) -> Scores:
    """Each haystack gets a store of its own. Questions without gold are left out."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for done, haystack in enumerate(haystacks, 1):
        with Memory(":memory:", worker=False) as memory:
            fill(memory, haystack)
            _ask(memory, haystack, wanted, found)
        progress(done, total)
    names, kinds = ({key[at]: None for key in found} for at in (0, 1))
    values = {
        name: {kind: {metric: fmean(found[name, kind, metric]) for metric in wanted} for kind in kinds}
        for name in names
    }
    first = next(iter(wanted))
    counts = {kind: len(found[next(iter(names)), kind, first]) for kind in kinds} if names else {}
    return Scores(title, values, counts, first)


def _ask(
    memory: Memory,
    haystack: Haystack,
    wanted: Mapping[str, Metric],
    found: dict[tuple[str, str, str], list[float]],
) -> None:
    session_of = haystack.session_of()
    for name, search in systems(memory, haystack).items():
        for question in haystack.questions:
            if not question.gold:
                continue
            ranking = metrics.distinct(search(question.text, DEPTH))
            for metric, measure in wanted.items():
                value = measure(ranking, question, session_of)
                for kind in (ALL, question.kind):
                    found[name, kind, metric].append(value)


MESSAGES = {
    "recall@10": by_message(metrics.recall, 10),
    "recall@5": by_message(metrics.recall, 5),
    "recall@20": by_message(metrics.recall, 20),
    "nDCG@10": by_message(metrics.ndcg, 10),
    "all@10": by_message(metrics.recall_all, 10),
}
SESSIONS = {
    "session all@5": by_session(metrics.recall_all, 5),
    "session any@5": by_session(metrics.recall_any, 5),
    "session all@10": by_session(metrics.recall_all, 10),
    "session nDCG@10": by_session(metrics.ndcg, 10),
    "recall@10": by_message(metrics.recall, 10),
}

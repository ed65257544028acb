"""Asks every question of every system, and averages the ranking metrics."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from aforesaid import Memory
from aforesaid.bench import metrics
from aforesaid.bench.dataset import DatasetQuestion, FixedClock, Haystack, load_haystack
from aforesaid.bench.report import grouped_bar_chart
from aforesaid.bench.systems import systems
from aforesaid.bench.temp_store import IN_MEMORY, temp_store
from aforesaid.errors import InvalidInput

Progress = Callable[[int, int], None]  # done, total

ALL = "all"
DEPTH = 200  # messages that a system is asked for: enough for ten sessions, and for the largest budget
BUDGETS = (500, 1000, 2000, 4000)


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """What a system gave to a question: a ranking, and what is read of it in so many tokens."""

    question: DatasetQuestion
    ranking: Sequence[str]
    read: Callable[[int], Collection[str]]
    session_of: Mapping[str, str]


Metric = Callable[[RankedAnswer], float]
MetricValues = dict[tuple[str, str, str], list[float]]  # system, kind of question, metric → one value a question


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    """Means by system, kind of question and metric. `picture_of` are the metrics that the picture shows."""

    title: str
    values: Mapping[str, Mapping[str, Mapping[str, float]]]
    questions: Mapping[str, int]
    plotted_metrics: Sequence[str]

    @property
    def metrics(self) -> list[str]:
        return list(next(iter(self.values.values()))[ALL])

    def to_json(self) -> str:
        return json.dumps({"title": self.title, "questions": self.questions, "scores": self.values}, indent=2)

    def picture(self) -> str:
        rows = {one: {name: kinds[ALL][one] for name, kinds in self.values.items()} for one in self.plotted_metrics}
        return grouped_bar_chart(self.title, rows, note=f"{self.questions[ALL]:,} questions; longer is better")

    def plot(self, path: Path) -> Path:
        path.write_text(self.picture(), "utf-8")
        return path


@dataclass(frozen=True, slots=True)
class RetrievalBenchmark:
    """What is measured, and which of it is drawn."""

    title: str
    wanted: Mapping[str, Metric]
    plotted_metrics: Sequence[str]

    def over(
        self, haystacks: Iterable[Haystack], total: int, progress: Progress, store: str = IN_MEMORY
    ) -> RetrievalScores:
        """Each haystack gets a store of its own, in memory or at a server, whose clock stands at its moment. Questions
        without gold are left out; with no other, this raises."""
        found: MetricValues = defaultdict(list)
        for done, haystack in enumerate(haystacks, 1):
            clock = FixedClock(haystack.now)
            with temp_store(store) as address, Memory(address, worker=False, clock=clock) as memory:
                load_haystack(memory, haystack)
                self._ask(memory, haystack, found)
            progress(done, total)
        if not found:
            raise InvalidInput("no question of the file names messages that answer it: there is nothing to measure")
        return self._scores(found)

    def _ask(self, memory: Memory, haystack: Haystack, found: MetricValues) -> None:
        session_of = haystack.session_of()
        for name, system in systems(memory, haystack).items():
            for question in haystack.questions:
                if question.gold:
                    ranking = metrics.distinct(system.rank(question.text, DEPTH))
                    read = _bind_read(system.read, question.text, ranking)
                    self._note(name, RankedAnswer(question, ranking, read, session_of), found)

    def _note(self, name: str, answer: RankedAnswer, found: MetricValues) -> None:
        for metric, measure in self.wanted.items():
            value = measure(answer)
            for kind in (ALL, answer.question.kind):
                found[name, kind, metric].append(value)

    def _scores(self, found: MetricValues) -> RetrievalScores:
        names, kinds = ({key[at]: None for key in found} for at in (0, 1))
        values = {
            name: {kind: {metric: fmean(found[name, kind, metric]) for metric in self.wanted} for kind in kinds}
            for name in names
        }
        name, metric = next(iter(names)), next(iter(self.wanted))
        counts = {kind: len(found[name, kind, metric]) for kind in kinds}
        return RetrievalScores(self.title, values, counts, self.plotted_metrics)


def _bind_read(
    read: Callable[[str, Sequence[str], int], Collection[str]], question: str, ranking: Sequence[str]
) -> Callable[[int], Collection[str]]:
    return lambda tokens: read(question, ranking, tokens)


def by_message(measure: Callable[..., float], at: int) -> Metric:
    return lambda answer: measure(answer.ranking, answer.question.gold, at)


def by_session(measure: Callable[..., float], at: int) -> Metric:
    def value(answer: RankedAnswer) -> float:
        session_of = answer.session_of
        gold = {session_of[message] for message in answer.question.gold}
        return measure(metrics.distinct([session_of[message] for message in answer.ranking]), gold, at)

    return value


def evidence(tokens: int) -> Metric:
    """The share of the gold that a model reads in so many tokens."""

    def value(answer: RankedAnswer) -> float:
        gold = answer.question.gold
        return len(gold & set(answer.read(tokens))) / len(gold)

    return value


EVIDENCE = {f"evidence@{tokens}": evidence(tokens) for tokens in BUDGETS}
MESSAGES = {
    "recall@10": by_message(metrics.recall, 10),
    "recall@5": by_message(metrics.recall, 5),
    "recall@20": by_message(metrics.recall, 20),
    "nDCG@10": by_message(metrics.ndcg, 10),
    "all@10": by_message(metrics.recall_all, 10),
    **EVIDENCE,
}
SESSIONS = {
    "session recall_all@5": by_session(metrics.recall_all, 5),
    "session recall_any@5": by_session(metrics.recall_any, 5),
    "session recall_all@10": by_session(metrics.recall_all, 10),
    "session nDCG@10": by_session(metrics.ndcg, 10),
    "message recall@10": by_message(metrics.recall, 10),
    **EVIDENCE,
}

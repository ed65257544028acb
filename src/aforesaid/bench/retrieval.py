"""Asks every question of every system, and averages the ranking metrics."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean

from aforesaid import Memory
from aforesaid.bench import Progress, metrics
from aforesaid.bench.charts import Caption, Panel, grouped_bar_chart, line_charts
from aforesaid.bench.dataset import DatasetQuestion, FixedClock, Haystack, load_haystack
from aforesaid.bench.portrait import answers
from aforesaid.bench.systems import systems
from aforesaid.bench.temp_store import IN_MEMORY, temp_store
from aforesaid.errors import InvalidInput

ALL = "all"
DEPTH = 200  # messages per ranking: enough for ten sessions, and for the largest budget
BUDGETS = (500, 1000, 2000, 4000)
BARS_NOTE = "mean over all questions; longer is better"
EVIDENCE_TITLE = "The evidence in the prompt"
EVIDENCE_NOTE = "share of the messages with the answer that are in a prompt of so many tokens; higher is better"


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """The answer of a system to a question: a ranking, and the messages that a prompt of some tokens shows, by id. The
    text of an excerpt is its value, that of a whole message is None."""

    question: DatasetQuestion
    ranking: Sequence[str]
    read: Callable[[int], Mapping[str, str | None]]
    haystack: HaystackIndex


@dataclass(frozen=True, slots=True)
class HaystackIndex:
    """The session and the text of each message."""

    session_of: Mapping[str, str]
    text_of: Mapping[str, str]


Metric = Callable[[RankedAnswer], float]
MetricValues = dict[tuple[str, str, str], list[float]]  # system, kind of question, metric → one value a question


Observer = Callable[[str, RankedAnswer], None]  # what is told each answer, with the name of the system


@dataclass(frozen=True, slots=True)
class RetrievalScores:
    """Means by system, kind of question and metric. The bar chart shows the `plotted_metrics`."""

    title: str
    questions: Mapping[str, int]
    plotted_metrics: Sequence[str]
    scores: Mapping[str, Mapping[str, Mapping[str, float]]]

    @property
    def metrics(self) -> list[str]:
        return list(next(iter(self.scores.values()))[ALL])

    @property
    def name(self) -> str:
        return f"{self.title}, {self.questions[ALL]:,} questions"

    def values(self, metric: str) -> dict[str, float]:
        """The metric of all questions, by system."""
        return {system: kinds[ALL][metric] for system, kinds in self.scores.items()}

    def evidence(self) -> Panel:
        """The evidence in prompts of each number of tokens."""
        columns = [self.values(f"evidence@{tokens}") for tokens in BUDGETS]
        lines = {system: [column[system] for column in columns] for system in self.scores}
        return Panel(self.title, [f"{tokens:,}" for tokens in BUDGETS], lines)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        rows = {metric: self.values(metric) for metric in self.plotted_metrics}
        return {
            "": grouped_bar_chart(Caption(self.name, BARS_NOTE, source), rows),
            "-evidence": line_charts(Caption(EVIDENCE_TITLE, EVIDENCE_NOTE, source), [self.evidence()]),
        }


@dataclass(frozen=True, slots=True)
class RetrievalBenchmark:
    """The metrics of a benchmark, and those that the chart shows."""

    title: str
    metrics: Mapping[str, Metric]
    plotted_metrics: Sequence[str]

    def run(
        self,
        haystacks: Iterable[Haystack],
        total: int,
        progress: Progress,
        store: str = IN_MEMORY,
        observer: Observer | None = None,
    ) -> RetrievalScores:
        """Asks the questions of each haystack in a store of its own, whose clock shows the time of the questions.
        Questions without gold are left out. Raises InvalidInput if there are no others."""
        values: MetricValues = defaultdict(list)
        for done, haystack in enumerate(haystacks, 1):
            clock = FixedClock(haystack.now)
            with temp_store(store) as address, Memory(address, worker=False, clock=clock) as memory:
                load_haystack(memory, haystack)
                for name, answer in _answers(memory, haystack):
                    self._record(name, answer, values)
                    if observer:
                        observer(name, answer)
            progress(done, total)
        if not values:
            raise InvalidInput("no question of the file names the messages that answer it; use a file with evidence")
        return self._scores(values)

    def _record(self, name: str, answer: RankedAnswer, values: MetricValues) -> None:
        for metric, measure in self.metrics.items():
            value = measure(answer)
            for kind in (ALL, answer.question.kind):
                values[name, kind, metric].append(value)

    def _scores(self, values: MetricValues) -> RetrievalScores:
        names, kinds = ({key[at]: None for key in values} for at in (0, 1))
        means = {
            name: {kind: {metric: fmean(values[name, kind, metric]) for metric in self.metrics} for kind in kinds}
            for name in names
        }
        name, metric = next(iter(names)), next(iter(self.metrics))
        counts = {kind: len(values[name, kind, metric]) for kind in kinds}
        return RetrievalScores(self.title, counts, self.plotted_metrics, means)


def _answers(memory: Memory, haystack: Haystack) -> Iterator[tuple[str, RankedAnswer]]:
    """The answer of each system to each question with gold."""
    texts = {message["id"]: message["content"] for message in haystack.messages()}
    index = HaystackIndex(haystack.session_of(), texts)
    for name, system in systems(memory, haystack).items():
        for question in haystack.questions:
            if question.gold:
                ranking = metrics.distinct(system.rank(question.text, DEPTH))
                read = partial(system.read, question.text, ranking)
                yield name, RankedAnswer(question, ranking, read, index)


def by_message(measure: Callable[..., float], at: int) -> Metric:
    return lambda answer: measure(answer.ranking, answer.question.gold, at)


def by_session(measure: Callable[..., float], at: int) -> Metric:
    def value(answer: RankedAnswer) -> float:
        session_of = answer.haystack.session_of
        gold = {session_of[message] for message in answer.question.gold}
        return measure(metrics.distinct([session_of[message] for message in answer.ranking]), gold, at)

    return value


def evidence(tokens: int) -> Metric:
    """The share of the gold in a prompt of some tokens. An excerpt counts if it has the words that answer."""

    def value(answer: RankedAnswer) -> float:
        question, shown, text_of = answer.question, answer.read(tokens), answer.haystack.text_of
        parts = {id: shown[id] for id in question.gold & shown.keys()}
        whole = [id for id, part in parts.items() if part is None or answers(part, text_of[id], question)]
        return len(whole) / len(question.gold)

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

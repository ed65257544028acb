"""`aforesaid bench all`: the retrieval benchmarks together. Recognizes which benchmark a file belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from aforesaid.bench import Progress, beam, locomo, longmemeval, own
from aforesaid.bench.dataset import DatasetRecord, Haystack, read_file
from aforesaid.bench.report import grouped_bar_chart
from aforesaid.bench.retrieval import ALL, RetrievalBenchmark, RetrievalScores
from aforesaid.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class BenchmarkFormat:
    """How the file of a benchmark is read. Every record of the file has the `field`."""

    field: str
    benchmark: RetrievalBenchmark
    load: Callable[[Path], list[DatasetRecord]]
    haystack: Callable[[DatasetRecord], Haystack]


FORMATS = (
    BenchmarkFormat("haystack_sessions", longmemeval.BENCHMARK, longmemeval.load, longmemeval.haystack),
    BenchmarkFormat("batches", beam.BENCHMARK, beam.load, beam.haystack),
    BenchmarkFormat("conversation", locomo.BENCHMARK, locomo.load, locomo.haystack),
)


@dataclass(frozen=True, slots=True)
class BenchmarkData:
    """The haystacks of a benchmark, which are read one at a time, and their number."""

    benchmark: RetrievalBenchmark
    haystacks: Iterable[Haystack]
    total: int


def read_benchmark(path: Path | None, limit: int | None = None) -> BenchmarkData:
    """The first `limit` haystacks of a file, or of the corpus in the package if `path` is None. A file of an unknown
    format is read as LoCoMo's, which raises InvalidInput."""
    if path is None:
        dialogues = own.load()[:limit]
        return BenchmarkData(own.BENCHMARK, dialogues, len(dialogues))
    format = _format_of(path)
    records = format.load(path)[:limit]
    return BenchmarkData(format.benchmark, map(format.haystack, records), len(records))


def _format_of(path: Path) -> BenchmarkFormat:
    try:
        content = read_file(path)
    except (OSError, EOFError) as exc:
        raise InvalidInput(f"{path} cannot be read: {exc}") from exc
    return next((format for format in FORMATS if f'"{format.field}"'.encode() in content), FORMATS[-1])


@dataclass(frozen=True, slots=True)
class SuiteScores:
    """The scores of several benchmarks."""

    scores: Sequence[RetrievalScores]

    @property
    def rows(self) -> Mapping[str, Mapping[str, float]]:
        """The main metrics of each benchmark, by system."""
        return {
            f"{one.title}, {one.questions[ALL]:,} questions: {metric}": {
                system: kinds[ALL][metric] for system, kinds in one.values.items()
            }
            for one in self.scores
            for metric in one.plotted_metrics
        }

    def to_json(self) -> str:
        return json.dumps([json.loads(one.to_json()) for one in self.scores], indent=2)

    def plot(self, path: Path) -> Path:
        picture = grouped_bar_chart("aforesaid bench all", self.rows, note="share of the evidence; longer is better")
        path.write_text(picture, "utf-8")
        return path


def run(paths: Sequence[Path], limit: int | None, progress: Progress) -> SuiteScores:
    """Runs the corpus in the package, then the benchmark of each file: the first `limit` haystacks of each."""
    sets = [read_benchmark(path, limit) for path in (None, *paths)]
    total, ticks = sum(data.total for data in sets), count(1)

    def tick(_done: int, _total: int) -> None:
        progress(next(ticks), total)

    return SuiteScores([data.benchmark.run(data.haystacks, data.total, tick) for data in sets])

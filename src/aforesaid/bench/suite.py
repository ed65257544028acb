"""`aforesaid bench all`: the retrieval benchmarks together. Recognizes which benchmark a file belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from aforesaid.bench import Progress, beam, locomo, longmemeval, own
from aforesaid.bench.charts import Caption, grouped_bar_chart, line_charts
from aforesaid.bench.dataset import DatasetRecord, Haystack, read_file
from aforesaid.bench.retrieval import EVIDENCE_NOTE, EVIDENCE_TITLE, RetrievalBenchmark, RetrievalScores
from aforesaid.errors import InvalidInput

FIRST_TEN = ("recall@10", "message recall@10")  # the same, by the names that the benchmarks give it
FIRST_NOTE = "share of the messages with the answer that are among the first ten found; longer is better"


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
        return {f"{one.name}: {metric}": one.values(metric) for one in self.scores for metric in one.plotted_metrics}

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        """The messages with the answer among the first ten as bars, and in prompts as curves."""
        first = {
            one.name: one.values(next(metric for metric in FIRST_TEN if metric in one.metrics)) for one in self.scores
        }
        panels = [one.evidence() for one in self.scores]
        return {
            "": grouped_bar_chart(Caption("The evidence among the first ten messages", FIRST_NOTE, source), first),
            "-evidence": line_charts(Caption(EVIDENCE_TITLE, EVIDENCE_NOTE, source), panels),
        }


def run(paths: Sequence[Path], limit: int | None, progress: Progress) -> SuiteScores:
    """Runs the corpus in the package, then the benchmark of each file: the first `limit` haystacks of each."""
    sets = [read_benchmark(path, limit) for path in (None, *paths)]
    total, ticks = sum(data.total for data in sets), count(1)

    def tick(_done: int, _total: int) -> None:
        progress(next(ticks), total)

    return SuiteScores([data.benchmark.run(data.haystacks, data.total, tick) for data in sets])

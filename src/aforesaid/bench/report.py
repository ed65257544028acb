"""Benchmark reports: figures with their baselines and limits, as JSON and as SVG charts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from aforesaid import Percentiles
from aforesaid.bench.charts import RATIO_NOTE, Caption, Panel, bar_chart, grouped_bar_chart, line_charts
from aforesaid.bench.cpu_usage import CpuUsage

OF_SIZE = re.compile(
    r"(.+), p50, ([\d,]+) messages"
)  # the name of a figure that is measured in spaces of several sizes
BY_SIZE_NOTE = "median time as a multiple of the baseline, by the messages of the space; lower is better"


def percentiles(values: Sequence[float]) -> Percentiles:
    return Percentiles(*(float(value) for value in np.percentile(values, (50, 95, 99))))


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` against `baseline`, both in `unit`. `most` is the limit of their ratio, if there is one."""

    name: str
    unit: str
    value: float
    baseline: float
    baseline_name: str
    most: float | None = None

    @property
    def ratio(self) -> float:
        return self.value / self.baseline if self.baseline else float("inf")

    @property
    def kept(self) -> bool:
        return self.most is None or self.ratio <= self.most


@dataclass(frozen=True, slots=True)
class StageTiming:
    """The milliseconds of one stage of a call in a space of `messages`. The stage `call` is the whole call."""

    messages: int
    call: str
    name: str
    milliseconds: Percentiles


@dataclass(frozen=True, slots=True)
class BenchReport:
    title: str
    figures: tuple[Figure, ...]
    stages: tuple[StageTiming, ...] = ()
    busy: tuple[CpuUsage, ...] = ()

    def to_json(self) -> str:
        data = {
            "title": self.title,
            "figures": [asdict(figure) | {"ratio": figure.ratio, "kept": figure.kept} for figure in self.figures],
            "stages": list(map(asdict, self.stages)),
            "busy": [
                asdict(usage) | {name: getattr(usage, name) for name in ("milliseconds", "most", "said")}
                for usage in self.busy
            ],
        }
        return json.dumps(data, indent=2)

    def pictures(self, source: str) -> dict[str, str]:
        """A chart of the ratios, one of the busy cores, and one of the ratios by the size of the space."""
        ratios = [(f.name, f.ratio, f.most) for f in self.figures]
        pictures = {"": bar_chart(Caption(self.title, RATIO_NOTE, source), ratios)}
        if self.busy:
            rows = {usage.name: dict(usage.by) for usage in self.busy}
            note = f"cores kept busy, of {self.busy[0].cores}"
            pictures["-cores"] = grouped_bar_chart(Caption(self.title, note, source), rows)
        if panels := self._by_size():
            pictures["-by-size"] = line_charts(Caption(self.title, BY_SIZE_NOTE, source), panels)
        return pictures

    def _by_size(self) -> list[Panel]:
        """A panel for each call that was measured in spaces of several sizes, against each baseline."""
        groups: dict[str, dict[str, Figure]] = {}
        for figure in self.figures:
            if found := OF_SIZE.fullmatch(figure.name):
                groups.setdefault(f"{found[1]} / {figure.baseline_name}", {})[found[2]] = figure
        return [
            Panel(
                title,
                list(by_size),
                {
                    "aforesaid": [figure.ratio for figure in by_size.values()],
                    "the promise: at most": [figure.most for figure in by_size.values()],
                    "the baseline": [1.0] * len(by_size),
                },
            )
            for title, by_size in groups.items()
            if len(by_size) > 1
        ]

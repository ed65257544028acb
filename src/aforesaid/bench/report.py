"""Benchmark reports: figures with their baselines and limits, as JSON and as SVG bar charts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

import numpy as np

from aforesaid import Percentiles
from aforesaid.bench.cpu_usage import CpuUsage

Bar = tuple[str, float, float | None]  # name, value, bound

WIDTH, LEFT, RIGHT, ROW, TOP = 860, 330, 80, 34, 64
GOOD, BAD, PLAIN, INK, FAINT = "#2a7f62", "#b3432b", "#9aa5a0", "#222", "#777"
RATIO_NOTE = "ratio to the baseline of the same run, shorter is better; red mark: the promise; grey: no promise"
LABEL_WIDTH = 40  # pixels


def grouped_bar_chart(
    title: str, rows: Mapping[str, Mapping[str, float]], *, note: str, own_scales: bool = False
) -> str:
    """One group of bars per measure, one bar per system; the first system is highlighted. With `own_scales`, the
    longest bar of each group has the same length."""
    x = _scale([1.0, *(value for group in rows.values() for value in group.values())])
    height = TOP + sum(ROW * (len(group) + 1) for group in rows.values()) + 16
    pieces, y = _svg_header(title, note, height), float(TOP)
    for measure, group in rows.items():
        pieces.append(f'<text x="{LEFT}" y="{y + 24}" font-weight="bold" fill="{INK}">{escape(measure)}</text>')
        if own_scales:
            x = _scale([max(group.values(), default=0.0) or 1.0])
        for at, (name, value) in enumerate(group.items()):
            y += ROW
            pieces += [*_bar(name, y, x(value), GOOD if at == 0 else PLAIN), _value(value, y, x(value))]
        y += ROW
    return "\n".join([*pieces, "</svg>\n"])


def bar_chart(title: str, rows: Sequence[Bar]) -> str:
    """Ratios, with a mark for each bound and a line for the baseline."""
    x = _scale([1.0, *(ratio for _, ratio, _ in rows), *(bound for _, _, bound in rows if bound)])
    bottom = TOP + ROW * len(rows)
    pieces = _svg_header(title, RATIO_NOTE, bottom + 40)
    for at, (name, ratio, bound) in enumerate(rows):
        pieces += _row(name, ratio, bound, TOP + ROW * at, x)
    line = f'x1="{x(1.0):.1f}" x2="{x(1.0):.1f}" y1="{TOP}" y2="{bottom}"'
    pieces.append(f'<line {line} stroke="{INK}" stroke-dasharray="2 3"/>')
    pieces.append(f'<text x="{x(1.0):.1f}" y="{bottom + 18}" text-anchor="middle" fill="{INK}">baseline</text>')
    return "\n".join([*pieces, "</svg>\n"])


def _scale(values: Sequence[float]) -> Callable[[float], float]:
    """Converts a value to its place on the horizontal axis."""
    most = max(values) * 1.1
    return lambda value: LEFT + (WIDTH - LEFT - RIGHT) * value / most


def _svg_header(title: str, note: str, height: int) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="16" y="28" font-size="17" fill="{INK}">{escape(title)}</text>',
        f'<text x="16" y="48" fill="{FAINT}">{escape(note)}</text>',
    ]


def _row(name: str, ratio: float, bound: float | None, y: float, x: Callable[[float], float]) -> list[str]:
    if bound is None:
        return [*_bar(name, y, x(ratio), PLAIN), _value(ratio, y, x(ratio))]
    at = f'x1="{x(bound):.1f}" x2="{x(bound):.1f}" y1="{y + 3}" y2="{y + ROW - 3}"'
    behind = x(bound) if x(ratio) < x(bound) < x(ratio) + LABEL_WIDTH else x(ratio)
    bar = _bar(name, y, x(ratio), GOOD if ratio <= bound else BAD)
    return [*bar, _value(ratio, y, behind), f'<line {at} stroke="{BAD}" stroke-width="2"/>']


def _bar(name: str, y: float, end: float, colour: str) -> list[str]:
    return [
        f'<text x="{LEFT - 10}" y="{y + 21}" text-anchor="end" fill="{INK}">{escape(name)}</text>',
        f'<rect x="{LEFT}" y="{y + 6}" width="{max(1.0, end - LEFT):.1f}" height="{ROW - 12}" fill="{colour}"/>',
    ]


def _value(value: float, y: float, behind: float) -> str:
    return f'<text x="{behind + 6:.1f}" y="{y + 21}" fill="{INK}">{value:.2f}</text>'


def write_report(folder: Path, name: str, data: str, picture: str) -> list[Path]:
    """Writes a JSON file and a chart."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{name}.json": data + "\n", folder / f"{name}.svg": picture}
    for path, text in files.items():
        path.write_text(text, "utf-8")
    return list(files)


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

    def write(self, folder: Path, name: str) -> list[Path]:
        """Writes a JSON file, a chart, and a chart of the busy cores."""
        picture = bar_chart(self.title, [(f.name, f.ratio, f.most) for f in self.figures])
        files = write_report(folder, name, self.to_json(), picture)
        if self.busy:
            rows = {usage.name: dict(usage.by) for usage in self.busy}
            note = f"cores kept busy, of {self.busy[0].cores}"
            files.append(folder / f"{name}-cores.svg")
            files[-1].write_text(grouped_bar_chart(self.title, rows, note=note), "utf-8")
        return files

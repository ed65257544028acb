"""Charts as SVG: no plotting library, no script, no external style. They follow the theme of the reader, light or dark,
and can be read without colours: each bar has a name, each line a marker and dashes of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Bar = tuple[str, float, float | None]  # name, value, bound
Scale = Callable[[float], float]  # from a value to its place in pixels

WIDTH, LEFT, RIGHT, ROW, TOP, BOTTOM = 860, 330, 110, 26, 66, 34
PLOT_HEIGHT, AXIS, GAP, LEGEND, HEAD = 170, 38, 14, 30, 34
LABEL_WIDTH = 40  # pixels
MOST_LABELS = 6  # points of a line that can have their values beside them, and steps that can have their names
RATIO_NOTE = "ratio to the baseline of the same run, shorter is better; upright mark: the promise; grey: no promise"
STYLE = """<style>
text{fill:#1f2328}.note{fill:#59636e}.card{fill:#fff;stroke:#d1d9e0}.grid,.mark{stroke:#d1d9e0}.mark{stroke:#1f2328}
.ours{fill:#0b6e4f}.other{fill:#818b98}.missed{fill:#cf222e}path,.point{stroke-width:2}path{fill:none}
.line0{stroke:#0b6e4f}.line1{stroke:#bc4c00}.line2{stroke:#0969da}.line3{stroke:#8250df}.point{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}.card{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#3d444d}.mark{stroke:#e6edf3}.ours{fill:#3fb950}.other{fill:#818b98}.missed{fill:#ff7b72}
.line0{stroke:#3fb950}.line1{stroke:#f0883e}.line2{stroke:#58a6ff}.line3{stroke:#bc8cff}.point{fill:#0d1117}}
</style>"""
DASHES = ("", "7 4", "2 3", "9 3 2 3")
MARKERS = (  # of a line, around the point 0, 0
    '<circle r="4"',
    '<rect x="-3.5" y="-3.5" width="7" height="7"',
    '<polygon points="0,-5 4.5,3.5 -4.5,3.5"',
    '<polygon points="0,-5 5,0 0,5 -5,0"',
)


@dataclass(frozen=True, slots=True)
class Caption:
    """The words around a chart. `source` is the command that draws it, with the date and the machine."""

    title: str
    note: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several plots side by side. The lines have a value, or None, for each step of the horizontal axis."""

    title: str
    steps: Sequence[str]
    lines: Mapping[str, Sequence[float | None]]

    @property
    def top(self) -> float:
        return max((value for line in self.lines.values() for value in line if value is not None), default=1.0)


def grouped_bar_chart(caption: Caption, rows: Mapping[str, Mapping[str, float]], *, own_scales: bool = False) -> str:
    """One group of bars per measure, one bar per system; the first system is highlighted. With `own_scales`, the
    longest bar of each group has the same length."""
    x = _bar_scale([1.0, *(value for group in rows.values() for value in group.values())])
    pieces, y = list[str](), float(TOP)
    for measure, group in rows.items():
        pieces.append(f'<text x="{LEFT}" y="{y + 18}" font-weight="bold">{escape(measure)}</text>')
        if own_scales:
            x = _bar_scale([max(group.values(), default=0.0) or 1.0])
        for at, (name, value) in enumerate(group.items()):
            y += ROW
            pieces += [*_bar(name, y, x(value), "ours" if at == 0 else "other"), _value(f"{value:.2f}", y, x(value))]
        y += ROW + 6
    return _svg(caption, y + BOTTOM, pieces)


def bar_chart(caption: Caption, rows: Sequence[Bar]) -> str:
    """Ratios, with a mark for each bound and a line for the baseline."""
    x = _bar_scale([1.0, *(ratio for _, ratio, _ in rows), *(bound for _, _, bound in rows if bound)])
    bottom, pieces = TOP + ROW * len(rows), list[str]()
    for at, (name, ratio, bound) in enumerate(rows):
        pieces += _ratio(name, ratio, bound, TOP + ROW * at, x)
    line = f'x1="{x(1.0):.1f}" x2="{x(1.0):.1f}" y1="{TOP}" y2="{bottom}"'
    pieces.append(f'<line {line} class="mark" stroke-dasharray="2 3"/>')
    pieces.append(f'<text x="{x(1.0):.1f}" y="{bottom + 18}" text-anchor="middle">baseline</text>')
    return _svg(caption, bottom + 24 + BOTTOM, pieces)


def line_charts(caption: Caption, panels: Sequence[Panel]) -> str:
    """Plots side by side, with one vertical scale and one legend. The highest value of each step is
    written above its point."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines))
    top, step = _axis_top(max(panel.top for panel in panels))
    width = (WIDTH - 2 * GAP) / len(panels)
    y, bottom = _line_scale(top), TOP + LEGEND + HEAD + PLOT_HEIGHT
    pieces = [piece for at, name in enumerate(names) for piece in _legend(at, name, (WIDTH - 2 * GAP) / len(names))]
    for at, panel in enumerate(panels):
        pieces += _plot(panel, GAP + at * width, width, y, [step * tick for tick in range(round(top / step) + 1)])
    return _svg(caption, bottom + 30 + BOTTOM, pieces)


def _svg(caption: Caption, height: float, pieces: Sequence[str]) -> str:
    title, note, source = map(escape, (caption.title, caption.note, caption.source))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
            f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="title note" font-size="13" '
            "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif\">",
            f'<title id="title">{title}</title>',
            f'<desc id="note">{note}</desc>',
            STYLE,
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="6"/>',
            f'<text x="16" y="28" font-size="17">{title}</text>',
            f'<text x="16" y="48" class="note">{note}</text>',
            *pieces,
            *([f'<text x="16" y="{height - 12:g}" class="note" font-size="12">{source}</text>'] if source else []),
            "</svg>\n",
        ]
    )


def _bar_scale(values: Sequence[float]) -> Scale:
    most = max(values) * 1.1
    return lambda value: LEFT + (WIDTH - LEFT - RIGHT) * value / most


def _line_scale(top: float) -> Scale:
    bottom = TOP + LEGEND + HEAD + PLOT_HEIGHT
    return lambda value: bottom - PLOT_HEIGHT * value / top


def _axis_top(most: float) -> tuple[float, float]:
    """The end of an axis that begins at 0, and the step between its lines: about five of them."""
    rough = most / 5
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough)
    return step * math.ceil(most / step - 1e-9), step


def _ratio(name: str, ratio: float, bound: float | None, y: float, x: Scale) -> list[str]:
    if bound is None:
        return [*_bar(name, y, x(ratio), "other"), _value(f"{ratio:.2f}", y, x(ratio))]
    kept = ratio <= bound
    at = f'x1="{x(bound):.1f}" x2="{x(bound):.1f}" y1="{y + 1}" y2="{y + ROW - 1}"'
    behind = x(bound) if x(ratio) < x(bound) < x(ratio) + LABEL_WIDTH else x(ratio)
    return [
        *_bar(name, y, x(ratio), "ours" if kept else "missed"),
        _value(f"{ratio:.2f}{'' if kept else ', missed'}", y, behind),
        f'<line {at} class="mark" stroke-width="2"/>',
    ]


def _bar(name: str, y: float, end: float, kind: str) -> list[str]:
    return [
        f'<text x="{LEFT - 10}" y="{y + 18}" text-anchor="end">{escape(name)}</text>',
        f'<rect x="{LEFT}" y="{y + 5}" width="{max(1.0, end - LEFT):.1f}" height="{ROW - 9}" class="{kind}"/>',
    ]


def _value(text: str, y: float, behind: float) -> str:
    return f'<text x="{behind + 6:.1f}" y="{y + 18}">{text}</text>'


def _legend(at: int, name: str, width: float) -> Iterator[str]:
    x, y = GAP + 2 + at * width, TOP + 8
    yield _path(at, f"{x:.1f} {y}h34")
    yield _marker(at, x + 17, y)
    yield f'<text x="{x + 41:.1f}" y="{y + 4}">{escape(name)}</text>'


def _path(at: int, places: str) -> str:
    dashes = f'stroke-dasharray="{DASHES[at]}" ' if DASHES[at] else ""
    return f'<path class="line{at}" {dashes}d="M{places}"/>'


def _marker(at: int, x: float, y: float) -> str:
    return f'{MARKERS[at]} transform="translate({x:.1f} {y:.1f})" class="point line{at}"/>'


def _plot(panel: Panel, left: float, width: float, y: Scale, ticks: Sequence[float]) -> Iterator[str]:
    """A panel between `left` and `left` + `width`: its title, the axes and the lines, the first of them on top."""
    start, end = left + AXIS, left + width - GAP
    inner = (end - start - 24) / max(1, len(panel.steps) - 1)
    places = [start + 12 + inner * at for at in range(len(panel.steps))]
    yield f'<text x="{left + 4:.1f}" y="{TOP + LEGEND + 8}" font-weight="bold">{escape(panel.title)}</text>'
    for tick in ticks:
        yield f'<line class="grid" x1="{start:.1f}" x2="{end:.1f}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        yield (
            f'<text x="{start - 6:.1f}" y="{y(tick) + 4:.1f}" text-anchor="end" class="note" font-size="12">'
            f"{tick:g}</text>"
        )
    every = math.ceil(len(places) / MOST_LABELS)
    for at, step in list(enumerate(panel.steps))[::every]:
        yield (
            f'<text x="{places[at]:.1f}" y="{y(0) + 18:.1f}" text-anchor="middle" class="note" font-size="12">'
            f"{escape(step)}</text>"
        )
    for at, line in reversed(list(enumerate(panel.lines.values()))):
        points = [(x, y(value), value) for x, value in zip(places, line, strict=True) if value is not None]
        yield from _line(at, points, every)
    if every == 1:
        yield from _values(panel, places, y)


def _line(at: int, points: Sequence[tuple[float, float, float]], every: int) -> Iterator[str]:
    yield _path(at, "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in points))
    for x, y, _ in points[::every]:
        yield _marker(at, x, y)


def _values(panel: Panel, places: Sequence[float], y: Scale) -> Iterator[str]:
    """The highest value of each step, above its point."""
    for x, values in zip(places, zip(*panel.lines.values(), strict=True), strict=True):
        best = max((value for value in values if value is not None), default=None)
        if best is not None:
            yield f'<text x="{x:.1f}" y="{y(best) - 9:.1f}" text-anchor="middle" font-size="12">{_short(best)}</text>'


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"

"""A bar chart as SVG, with the baseline and the promised bounds marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

Bar = tuple[str, float, float | None]  # name, value, bound

WIDTH, LEFT, RIGHT, ROW, TOP = 860, 330, 80, 34, 64
GOOD, BAD, PLAIN, INK, FAINT = "#2a7f62", "#b3432b", "#9aa5a0", "#222", "#777"
NOTE = "ratio to the baseline of the same run, shorter is better; red mark: the promise; grey: no promise"
LABEL = 40  # pixels that a number takes up


def bars(title: str, rows: Sequence[Bar], *, note: str = NOTE, mark: float | None = 1.0) -> str:
    """`mark` is where the baseline stands; None where there is none to mark."""
    most = max([mark or 0.0, *(ratio for _, ratio, _ in rows), *(bound for _, _, bound in rows if bound)]) * 1.1
    height = TOP + ROW * len(rows) + 40

    def x(ratio: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ratio / most

    pieces = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="16" y="28" font-size="17" fill="{INK}">{escape(title)}</text>',
        f'<text x="16" y="48" fill="{FAINT}">{escape(note)}</text>',
    ]
    for at, (name, ratio, bound) in enumerate(rows):
        pieces += _row(name, ratio, bound, TOP + ROW * at, x)
    bottom = TOP + ROW * len(rows)
    if mark is not None:
        line = f'x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{TOP}" y2="{bottom}"'
        pieces.append(f'<line {line} stroke="{INK}" stroke-dasharray="2 3"/>')
        pieces.append(f'<text x="{x(mark):.1f}" y="{bottom + 18}" text-anchor="middle" fill="{INK}">baseline</text>')
    return "\n".join([*pieces, "</svg>\n"])


def _row(name: str, ratio: float, bound: float | None, y: float, x: Callable[[float], float]) -> list[str]:
    colour = PLAIN if bound is None else GOOD if ratio <= bound else BAD
    label = x(ratio) + 6
    if bound is not None and label - 6 < x(bound) < label + LABEL:
        label = x(bound) + 6
    pieces = [
        f'<text x="{LEFT - 10}" y="{y + 21}" text-anchor="end" fill="{INK}">{escape(name)}</text>',
        f'<rect x="{LEFT}" y="{y + 6}" width="{max(1.0, x(ratio) - LEFT):.1f}" height="{ROW - 12}" fill="{colour}"/>',
        f'<text x="{label:.1f}" y="{y + 21}" fill="{INK}">{ratio:.2f}</text>',
    ]
    if bound is not None:
        at = f'x1="{x(bound):.1f}" x2="{x(bound):.1f}" y1="{y + 3}" y2="{y + ROW - 3}"'
        pieces.append(f'<line {at} stroke="{BAD}" stroke-width="2"/>')
    return pieces

"""How retrievals went."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, table
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from rich.table import Table

    from recollect import Metrics

SPAN = re.compile(r"(\d{1,6})([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
PERCENTILES = ("p50", "p95", "p99")


def metrics(
    *,
    space: Annotated[str | None, typer.Option(metavar="NAME", help="Whose memory; all of them.")] = None,
    since: Annotated[str, typer.Option(metavar="TIME", help="How far back: 30m, 12h, 7d, 2w, or a time.")] = "7d",
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Say how retrievals went: hits, scores, milliseconds.

    They are kept for 30 days, without the questions.

    Example: recollect metrics --since 24h
    """
    begin = since_when(since, datetime.now(UTC))
    with reading(store) as memory:
        found = memory.metrics(space, since=begin)
        if space is not None and not found.count:
            refuse_unknown(memory, space)
    if as_json:
        print_json(found)
    elif found.count:
        output().print(figures_table(found))
        output().print(stages_table(found))
    else:
        note("no retrievals in that time")


def since_when(text: str, now: datetime) -> datetime | str:
    """The moment a span before now; what is no span is left for the Memory to read as a time."""
    found = SPAN.fullmatch(text.strip())
    if found is None:
        return text
    try:
        return now - timedelta(**{UNITS[found[2]]: int(found[1])})
    except OverflowError as exc:
        raise InvalidInput(f"since {text!r} lies before the year 1") from exc


def figures_table(metrics: Metrics) -> Table:
    rows = [
        ("retrievals", f"{metrics.count:,}"),
        ("with hits", share(metrics.hit_rate)),
        ("best score, mean", "–" if metrics.top_score is None else f"{metrics.top_score:.2f}"),
        ("hits by source", counts(metrics.sources)),
        ("hits by content", counts(metrics.content)),
        ("budget used, mean", share(metrics.budget_use)),
        ("stable prefix, mean", share(metrics.prefix_share)),
        ("flags on", ", ".join(f"{name} {share(value)}" for name, value in metrics.flags.items()) or "–"),
        ("degraded", f"{metrics.degraded:,}"),
    ]
    made = table(("", ""), rows)
    made.show_header = False
    return made


def stages_table(metrics: Metrics) -> Table:
    return table(("milliseconds", *PERCENTILES), _stages(metrics), right=PERCENTILES)


def _stages(metrics: Metrics) -> Iterator[tuple[str, ...]]:
    for stage, taken in metrics.milliseconds.items():
        yield (stage, *(f"{value:.1f}" for value in (taken.p50, taken.p95, taken.p99)))


def share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in found.items()) or "–"

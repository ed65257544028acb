"""The commands `metrics` and `cost`: retrieval quality and latency, and language model usage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from aforesaid import CostTotal, Metrics, TokenAllowance
from aforesaid.cli.options import STORE, AnySpace, AsJson, Store
from aforesaid.cli.output import Table, note, print_json, show
from aforesaid.cli.store import open_existing, require_space
from aforesaid.errors import InvalidInput

SPAN = re.compile(r"(\d{1,6})([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
PERCENTILES = ("p50", "p95", "p99")
COST_COLUMNS = ("calls", "failed", "open", "prompt", "answer", "tokens", "seconds")
Since = Annotated[str, typer.Option(metavar="TIME", help="How far back: 30m, 12h, 7d, 2w, or a time.")]


def metrics(*, space: AnySpace = None, since: Since = "7d", store: Store = STORE, as_json: AsJson = False) -> None:
    """Show retrieval metrics: hits, scores, milliseconds. They are kept for 30 days, without the questions.

    Example: aforesaid metrics --since 24h
    """
    begin = since_when(since, datetime.now(UTC))
    with open_existing(store) as memory:
        if space is not None:
            require_space(memory, space)
        result = memory.metrics(space, since=begin)
    if as_json:
        print_json(result)
    elif result.count:
        show(Table(("", ""), _figures(result)))
        rows = ((stage, f"{ms.p50:.1f}", f"{ms.p95:.1f}", f"{ms.p99:.1f}") for stage, ms in result.milliseconds.items())
        show(Table(("milliseconds", *PERCENTILES), rows, right=PERCENTILES))
    else:
        note("no retrievals in that time")


def since_when(text: str, now: datetime) -> datetime | str:
    """The time a span before now. Memory parses other texts as a time."""
    match = SPAN.fullmatch(text.strip())
    if match is None:
        return text
    try:
        return now - timedelta(**{UNITS[match[2]]: int(match[1])})
    except OverflowError as exc:
        raise InvalidInput(f"since {text!r} is before the year 1") from exc


def _figures(metrics: Metrics) -> list[tuple[str, str]]:
    return [
        ("retrievals", f"{metrics.count:,}"),
        ("with hits", _share(metrics.hit_rate)),
        ("best score, mean", "–" if metrics.top_score is None else f"{metrics.top_score:.2f}"),
        ("hits by source", _counts(metrics.sources)),
        ("hits by content", _counts(metrics.content)),
        ("budget used, mean", _share(metrics.budget_use)),
        ("stable prefix, mean", _share(metrics.prefix_share)),
        ("flags on", ", ".join(f"{name} {_share(value)}" for name, value in metrics.flags.items()) or "–"),
        ("degraded", f"{metrics.degraded:,}"),
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "–"


def cost(*, space: AnySpace = None, since: Since = "30d", store: Store = STORE, as_json: AsJson = False) -> None:
    """Show the calls and tokens of language models, by model and operation.

    Also shows what is left of the daily cap, which AFORESAID_DAILY_TOKENS sets.

    Example: aforesaid cost --since 7d
    """
    begin = since_when(since, datetime.now(UTC))
    with open_existing(store) as memory:
        if space is not None:
            require_space(memory, space)
        costs, today = memory.costs(space, since=begin), memory.allowance()
    if as_json:
        print_json({"costs": costs, "today": today})
        return
    if costs:
        show(_costs_table(costs))
    else:
        note("no language model was called in that time")
    show(_today_line(today))


def _costs_table(costs: Sequence[CostTotal]) -> Table:
    rows = (
        (
            cost.model,
            cost.operation,
            *(f"{n:,}" for n in (cost.calls, cost.failed, cost.open)),
            *(f"{n:,}" for n in (cost.prompt_tokens, cost.completion_tokens, cost.tokens)),
            f"{cost.milliseconds / 1000:,.1f}",
        )
        for cost in costs
    )
    return Table(("model", "operation", *COST_COLUMNS), rows, right=COST_COLUMNS)


def _today_line(today: TokenAllowance) -> str:
    if today.cap is None:
        return f"today (UTC): {today.spent:,} tokens, no cap"
    return f"today (UTC): {today.spent:,} of {today.cap:,} tokens, {today.left:,} left"

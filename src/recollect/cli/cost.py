"""What language models took."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.metrics import since_when
from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import STORE, AsJson, Store
from recollect.cli.output import note, output, print_json, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from recollect import Allowance, Spent

NUMBERS = ("calls", "failed", "open", "prompt", "answer", "tokens", "seconds")


def cost(
    *,
    space: Annotated[str | None, typer.Option(metavar="NAME", help="Whose memory; all of them.")] = None,
    since: Annotated[str, typer.Option(metavar="TIME", help="How far back: 30m, 12h, 7d, 2w, or a time.")] = "30d",
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Say what language models took: calls and tokens, by model and operation.

    And what is left of the day's cap, which RECOLLECT_DAILY_TOKENS sets.

    Example: recollect cost --since 7d
    """
    begin = since_when(since, datetime.now(UTC))
    with reading(store) as memory:
        found, today = memory.costs(space, since=begin), memory.allowance()
        if space is not None and not found:
            refuse_unknown(memory, space)
    if as_json:
        print_json({"costs": found, "today": today})
        return
    if found:
        output().print(costs_table(found))
    else:
        note("no language model was asked in that time")
    output().print(today_line(today))


def costs_table(costs: Sequence[Spent]) -> Table:
    rows = (
        (
            each.model,
            each.operation,
            *(f"{n:,}" for n in (each.calls, each.failed, each.open)),
            *(f"{n:,}" for n in (each.prompt_tokens, each.completion_tokens, each.tokens)),
            f"{each.milliseconds / 1000:,.1f}",
        )
        for each in costs
    )
    return table(("model", "operation", *NUMBERS), rows, right=NUMBERS)


def today_line(today: Allowance) -> str:
    if today.cap is None:
        return f"today (UTC): {today.spent:,} tokens, no cap"
    return f"today (UTC): {today.spent:,} of {today.cap:,} tokens, {today.left:,} left"

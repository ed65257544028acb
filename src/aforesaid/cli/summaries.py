"""The `summaries` command: lists the summaries of a conversation, and makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from aforesaid import RollingSummaryState, Summary
from aforesaid.cli.options import SPACE, STORE, AsJson, ConversationName, Limit, SpaceName, Store
from aforesaid.cli.output import Table, print_result, show
from aforesaid.cli.store import open_conversation
from aforesaid.models.summary import SummaryKind, SummaryStatus


def summaries(
    conversation: ConversationName,
    *,
    space: SpaceName = SPACE,
    kind: Annotated[SummaryKind | None, typer.Option(help="Only summaries of this kind.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also failed, unfinished and replaced summaries.")] = False,
    chain: Annotated[bool, typer.Option("--chain", help="The versions of the rolling summary.")] = False,
    window: Annotated[bool, typer.Option("--window", help="The state of the rolling summary.")] = False,
    now: Annotated[bool, typer.Option("--now", help="Make a summary now.")] = False,
    first: Annotated[int | None, typer.Option(metavar="SEQ", help="With --now: from this message.")] = None,
    last: Annotated[int | None, typer.Option(metavar="SEQ", help="With --now: to this message.")] = None,
    limit: Limit = 50,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the summaries of a conversation, or make one now.

    Example: aforesaid summaries trip --now --first 0 --last 14
    """
    with open_conversation(store, space, conversation) as chat:
        if window:
            _print_window(chat.window(), as_json)
            return
        if now:
            made = chat.summarize(first, last)
            print_result(made, as_json, _table([made]))
            return
        status: SummaryStatus | None = None if every else "completed"
        listed = chat.chain(limit=limit) if chain else chat.summaries(kind, status, limit, replaced=every)
    print_result(listed, as_json, _table(listed))


def _table(summaries: Sequence[Summary]) -> Table:
    return Table(("messages", "kind", "status", "made by", "ms", "text"), map(_row, summaries), right=("ms",))


def _row(summary: Summary) -> tuple[object, ...]:
    span = f"{summary.first_seq}-{summary.last_seq}"
    state = "replaced" if summary.replaced_by else summary.status
    taken = "" if summary.milliseconds is None else f"{summary.milliseconds:.0f}"
    return span, summary.kind, state, summary.model or summary.method or "", taken, summary.text or summary.error or ""


def _print_window(window: RollingSummaryState, as_json: bool) -> None:
    latest, timings = window.latest, window.timings
    average, longest = timings.average_milliseconds, timings.maximum_milliseconds
    rows = (
        ("newest message", "none" if window.newest_seq is None else window.newest_seq),
        ("summarized", "nothing yet" if latest is None else f"{latest.first_seq}-{latest.last_seq}"),
        ("messages since", window.behind),
        ("running", "stuck" if window.stuck else "yes" if window.making else "no"),
        ("completed", timings.completed),
        ("failed", timings.failed),
        ("average ms", "" if average is None else f"{average:.0f}"),
        ("maximum ms", "" if longest is None else f"{longest:.0f}"),
    )
    print_result(window, as_json, Table(("window", f"of {window.size} messages"), rows))
    if window.history and not as_json:
        show(_table(window.history))

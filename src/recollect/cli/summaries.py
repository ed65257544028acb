"""What a conversation was summed up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Limit, Space, Store
from recollect.cli.output import output, print_json, table

if TYPE_CHECKING:
    from recollect import Conversation, Summary, Window


Kind = Literal["segment", "rolling"]


def summaries(
    conversation: ConversationName,
    *,
    space: Space = SPACE,
    kind: Annotated[Kind | None, typer.Option(help="Only those of this kind.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Also failed, unfinished and replaced ones.")] = False,
    chain: Annotated[bool, typer.Option("--chain", help="The rolling summary, version by version.")] = False,
    window: Annotated[bool, typer.Option("--window", help="How far the rolling summary has come.")] = False,
    now: Annotated[bool, typer.Option("--now", help="Sum up now.")] = False,
    first: Annotated[int | None, typer.Option(metavar="SEQ", help="With --now: from this message.")] = None,
    last: Annotated[int | None, typer.Option(metavar="SEQ", help="With --now: to this message.")] = None,
    limit: Limit = 50,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what a conversation was summed up to, or sum it up now.

    Example: recollect summaries trip --now --first 0 --last 14
    """
    with reading(store) as memory:
        chat = memory.space(space).conversation(conversation)
        chat.info()  # says so where there is no such conversation
        if window:
            _show_window(chat.window(), as_json=as_json)
            return
        if now:
            made = chat.summarize(first, last)
            _show([made], made, as_json=as_json)
            return
        found = chat.chain(limit=limit) if chain else _listed(chat, kind, limit, every=every)
    _show(found, found, as_json=as_json)


def _listed(chat: Conversation, kind: Kind | None, limit: int, *, every: bool) -> list[Summary]:
    return chat.summaries(kind, None if every else "completed", limit, replaced=every)


def _show(found: Sequence[Summary], data: object, *, as_json: bool) -> None:
    if as_json:
        print_json(data)
        return
    columns = ("messages", "kind", "status", "made by", "ms", "text")
    output().print(table(columns, map(_row, found), right=("ms",)))


def _row(summary: Summary) -> tuple[object, ...]:
    span = f"{summary.first_seq}-{summary.last_seq}"
    state = "replaced" if summary.replaced_by else summary.status
    maker = summary.model or summary.method or ""
    taken = "" if summary.milliseconds is None else f"{summary.milliseconds:.0f}"
    return span, summary.kind, state, maker, taken, summary.text or summary.error or ""


def _show_window(window: Window, *, as_json: bool) -> None:
    if as_json:
        print_json(window)
        return
    latest, timings = window.latest, window.timings
    average, longest = timings.average_milliseconds, timings.maximum_milliseconds
    rows = (
        ("newest message", "none" if window.newest_seq is None else window.newest_seq),
        ("summed up", "nothing yet" if latest is None else f"{latest.first_seq}-{latest.last_seq}"),
        ("messages since", window.behind),
        ("in the making", "stuck" if window.stuck else "yes" if window.making else "no"),
        ("completed", timings.completed),
        ("failed", timings.failed),
        ("average ms", "" if average is None else f"{average:.0f}"),
        ("maximum ms", "" if longest is None else f"{longest:.0f}"),
    )
    output().print(table(("window", f"of {window.size} messages"), rows))
    if window.history:
        _show(window.history, None, as_json=False)

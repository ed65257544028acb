"""The conversations of a space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AfterId, AsJson, Limit, Space, Store
from recollect.cli.output import output, print_json, table
from recollect.cli.settle import settle
from recollect.cli.text import moment, shortened

if TYPE_CHECKING:
    from recollect import ConversationInfo

COUNTS = ("messages", "turns", "tokens")
TITLE = 60


def conversations(
    *,
    space: Space = SPACE,
    limit: Limit = 50,
    after: AfterId = None,
    status: Annotated[
        Literal["active", "paused", "ended"] | None, typer.Option(help="Only those in this state.")
    ] = None,
    query: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Only those whose name and title have these words.")
    ] = None,
    mute: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep this one's words out of the rest of the memory.")
    ] = None,
    unmute: Annotated[str | None, typer.Option(metavar="NAME", help="Take that back.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the conversations of a space, oldest first; mute or unmute one of them.

    Example: recollect conversations --space alice --status active
    """
    with reading(store) as memory:
        if mute is not None:
            memory.space(space).conversation(mute).mute()
        if unmute is not None:
            memory.space(space).conversation(unmute).unmute()
            settle(memory, store)
        found = memory.space(space).conversations(limit, after=after, status=status, query=query)
        if not found:
            refuse_unknown(memory, space)
    if as_json:
        print_json(found)
    else:
        columns = ("conversation", "status", *COUNTS, "last change", "title")
        output().print(table(columns, map(_row, found), right=COUNTS))


def _row(info: ConversationInfo) -> tuple[object, ...]:
    counts = (info.messages, info.turns, info.tokens)
    status = f"{info.status}, muted" if info.muted else info.status
    return info.id, status, *counts, moment(info.updated_at), shortened(info.title or "", TITLE)

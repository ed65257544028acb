"""The command `feedback`: says which messages were useful for a question, and shows what was said."""

from __future__ import annotations

from typing import Annotated

import typer

from aforesaid import Space
from aforesaid.cli.options import SPACE, STORE, AsJson, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, note, print_json, print_result
from aforesaid.cli.store import open_space
from aforesaid.errors import InvalidInput
from aforesaid.models.feedback import RatedMessage

COLUMNS = ("correction", "useful", "useless", "quoted", "last", "message")


def feedback(
    query: Annotated[str | None, typer.Argument(help="The question; else show all feedback.")] = None,
    message: Annotated[
        str | None, typer.Argument(metavar="MESSAGE", help="The id of a message that was recalled for it.")
    ] = None,
    *,
    useless: Annotated[bool, typer.Option("--useless", help="The message did not help.")] = False,
    limit: Limit = 50,
    reset: Annotated[bool, typer.Option("--reset", help="Delete all feedback of the space.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Say that a recalled message was useful, or useless, as an answer to a question.

    It counts if the setting `weight_feedback` is above 0. No words of the question are stored. Without MESSAGE,
    shows the feedback of the space, the strongest correction first, or what a recall of QUERY corrects.

    Example: aforesaid feedback "where are we going?" m1 --useless
    """
    if reset and query is not None:
        raise InvalidInput("--reset deletes all feedback of the space, so it takes no question")
    if useless and message is None:
        raise InvalidInput("--useless takes a question and the id of a message")
    with open_space(store, space) as rated:
        if reset:
            print_result({"removed": (removed := rated.reset_feedback())}, as_json, f"deleted {removed} verdicts")
        elif query is not None and message is not None:
            _rate(rated, query, message, useless=useless, as_json=as_json)
        else:
            messages = rated.feedback_given(limit, query=query)
            shown = Table(COLUMNS, map(_row, messages), right=COLUMNS[:4])
            print_result(messages, as_json, shown, "no feedback was given")


def _rate(space: Space, query: str, message: str, *, useless: bool, as_json: bool) -> None:
    stored = space.feedback(query, message, useful=not useless)
    if as_json:
        print_json(stored)
        return
    note(f"{message} is {'useless' if useless else 'useful'} for this question")
    if not next(one.value for one in space.settings() if one.name == "weight_feedback"):
        note("it changes no recall yet: `aforesaid settings weight_feedback 0.1` makes it count")


def _row(one: RatedMessage) -> tuple[str, ...]:
    counts = (str(one.useful), str(one.useless), str(one.quoted))
    return (f"{one.correction:+.2f}", *counts, format_time(one.last_at), one.message_id)

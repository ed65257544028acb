"""The commands `feedback` and `learned`: what was useful, and what a space has learned from it."""

from __future__ import annotations

from typing import Annotated

import typer

from aforesaid.cli.options import SPACE, STORE, AsJson, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, note, print_json, print_result
from aforesaid.cli.store import open_space
from aforesaid.models.feedback import LearnedMessage

COLUMNS = ("correction", "useful", "useless", "quoted", "last", "message")


def feedback(
    query: Annotated[str, typer.Argument(help="The question that the message was recalled for.", show_default=False)],
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="The message's id.", show_default=False)],
    *,
    useless: Annotated[bool, typer.Option("--useless", help="It did not help.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Say that a recalled message was useful, or useless, as an answer to a question.

    It counts if the setting `weight_learned` is above 0. No words of the question are stored.

    Example: aforesaid feedback "where are we going?" m1 --useless
    """
    with open_space(store, space) as rated:
        stored = rated.feedback(query, message, useful=not useless)
        weight = next(one.value for one in rated.settings() if one.name == "weight_learned")
    if as_json:
        print_json(stored)
        return
    note(f"{message} is {'useless' if useless else 'useful'} for this question")
    if not weight:
        note("it changes no recall yet: `aforesaid settings weight_learned 0.1` turns learning on")


def learned(
    *,
    query: Annotated[str | None, typer.Option(metavar="QUESTION", help="Show what this question corrects.")] = None,
    limit: Limit = 50,
    reset: Annotated[bool, typer.Option("--reset", help="Delete all feedback of the space.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what a space has learned from feedback and from quotes in answers, the strongest correction first.

    Example: aforesaid learned --query "where are we going?"
    """
    with open_space(store, space) as taught:
        if reset:
            print_result({"removed": (removed := taught.unlearn())}, as_json, f"deleted {removed} verdicts")
            return
        messages = taught.learned(limit, query=query)
    print_result(messages, as_json, Table(COLUMNS, map(_row, messages), right=COLUMNS[:4]), "nothing was learned")


def _row(one: LearnedMessage) -> tuple[str, ...]:
    counts = (str(one.useful), str(one.useless), str(one.quoted))
    return (f"{one.correction:+.2f}", *counts, format_time(one.last_at), one.message_id)

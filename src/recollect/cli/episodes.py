"""What happened, in a conversation or in a space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from recollect.cli.opening import reading, refuse_unknown
from recollect.cli.options import SPACE, STORE, AsJson, Limit, Space, Store
from recollect.cli.output import output, print_json, table
from recollect.cli.text import shortened

if TYPE_CHECKING:
    from recollect import Episode

TITLE = 60
Type = Literal["decision_made", "problem_solved", "breakthrough", "issue_identified", "task_completed", "pivot"]


def episodes(
    conversation: Annotated[
        str | None, typer.Argument(metavar="[CONVERSATION]", help="Of one conversation; else of the whole space.")
    ] = None,
    *,
    space: Space = SPACE,
    type: Annotated[Type | None, typer.Option("--type", help="Only those of this type.")] = None,
    significance: Annotated[float, typer.Option("--significance", metavar="X", help="At least so much, 0 to 1.")] = 0.0,
    limit: Limit = 50,
    remove: Annotated[str | None, typer.Option("--remove", metavar="ID", help="Remove this one for good.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what happened: of a conversation in its order, of a space the newest first.

    Example: recollect episodes trip --significance 0.7
    """
    with reading(store) as memory:
        whole = memory.space(space)
        if conversation is None:
            refuse_unknown(memory, space)
            if remove is not None:
                raise typer.BadParameter("name the conversation that the episode is in", param_hint="--remove")
            found = whole.episodes(type, min_significance=significance, limit=limit)
        else:
            chat = whole.conversation(conversation)
            chat.info()  # says so where there is no such conversation
            if remove is not None:
                chat.remove_episode(remove)
            found = chat.episodes(type, min_significance=significance, limit=limit)
    if as_json:
        print_json(found)
    else:
        output().print(table(("id", "conversation", "messages", "type", "weight", "feel", "title"), map(_row, found)))


def _row(one: Episode) -> tuple[object, ...]:
    span = f"{one.first_seq}-{one.last_seq}"
    numbers = f"{one.significance:.2f}", f"{one.valence:+.2f}"
    return one.id, one.conversation, span, one.type, *numbers, shortened(one.title, TITLE)

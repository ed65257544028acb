"""What is pinned in a conversation, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Space, Store
from recollect.cli.output import output, print_json, table

if TYPE_CHECKING:
    from recollect import Pin


def pins(
    conversation: ConversationName,
    *,
    space: Space = SPACE,
    remove: Annotated[str | None, typer.Option("--remove", metavar="ID", help="Remove this one for good.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what is pinned in a conversation, the most important first, and why.

    Example: recollect pins trip
    """
    with reading(store) as memory:
        chat = memory.space(space).conversation(conversation)
        chat.info()  # says so where there is no such conversation
        if remove is not None:
            chat.unpin(remove)
        found = chat.pins()
    if as_json:
        print_json(found)
    else:
        output().print(table(("id", "importance", "type", "reason", "content"), map(_row, found)))


def _row(pin: Pin) -> tuple[object, ...]:
    return pin.id, f"{pin.importance:.2f}", pin.type, pin.reason or "", pin.content

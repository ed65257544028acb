"""What is kept in view in a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Space, Store
from recollect.cli.output import note, output, print_json, table
from recollect.cli.text import moment
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect import Conversation, Pin


def pins(
    conversation: ConversationName,
    *,
    add: Annotated[str | None, typer.Option(metavar="TEXT", help="Pin this text.")] = None,
    message: Annotated[str | None, typer.Option(metavar="ID", help="Pin this message.")] = None,
    importance: Annotated[float, typer.Option(metavar="0..1", help="How important the new pin is.")] = 0.8,
    remove: Annotated[str | None, typer.Option(metavar="ID", help="Remove this pin.")] = None,
    space: Space = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what is pinned in a conversation, pin something, or remove a pin.

    The most important first. Pins stand in every context until they are removed.

    Example: recollect pins trip --add "Budget is 900 €"
    """
    if sum(each is not None for each in (add, message, remove)) > 1:
        raise InvalidInput("give one of --add, --message and --remove")
    with reading(store) as memory:
        chat = memory.space(space).conversation(conversation)
        _change(chat, add, message, importance)
        if remove is not None:
            chat.unpin(remove)
        found = chat.pins()
        if not found:
            chat.info()  # says so where there is no such conversation
    if as_json:
        print_json(found)
    else:
        _print(found)


def _change(chat: Conversation, text: str | None, message: str | None, importance: float) -> None:
    if text is not None:
        chat.pin(text, importance=importance)
    elif message is not None:
        chat.pin(chat.message(message), importance=importance)


def _print(found: Sequence[Pin]) -> None:
    if not found:
        note("nothing is pinned")
        return
    rows = ((pin.id, pin.type, f"{pin.importance:.2f}", moment(pin.created_at), pin.content) for pin in found)
    output().print(table(("pin", "type", "importance", "since", "text"), rows, right=("importance",)))

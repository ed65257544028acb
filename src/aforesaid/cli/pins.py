"""The commands `pins`, `pin` and `unpin`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from aforesaid import Pin
from aforesaid.cli.options import SPACE, STORE, AsJson, ConversationName, SpaceName, Store
from aforesaid.cli.output import Table, format_time, print_result
from aforesaid.cli.store import open_conversation
from aforesaid.errors import InvalidInput


def pins(
    conversation: ConversationName, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """List the pins of a conversation, most important first. A pin is part of every context until it is removed.

    Example: aforesaid pins trip
    """
    with open_conversation(store, space, conversation) as chat:
        pins = chat.pins()
    print_result(pins, as_json, _pins_table(pins), "nothing is pinned")


def pin(
    conversation: ConversationName,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="The text to pin.")] = None,
    *,
    message: Annotated[str | None, typer.Option(metavar="ID", help="Pin this message instead of a text.")] = None,
    importance: Annotated[float, typer.Option(metavar="0..1", help="The importance of the pin.")] = 0.8,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Pin a text or a message: it is part of every context of the conversation.

    Example: aforesaid pin trip "Budget is 900 €"
    """
    if (text is None) == (message is None):
        raise InvalidInput("give a text, or --message")
    with open_conversation(store, space, conversation) as chat:
        made = chat.pin(chat.message(message or "") if text is None else text, importance=importance)
    print_result(made, as_json, _pins_table([made]))


def unpin(
    conversation: ConversationName,
    pin: Annotated[str, typer.Argument(metavar="PIN", help="The pin's id.", show_default=False)],
    *,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Remove a pin.

    Example: aforesaid unpin trip 019ca6b1-dc00-7000-800d-8e84327e27e2
    """
    with open_conversation(store, space, conversation) as chat:
        chat.unpin(pin)
    print_result({"conversation": conversation, "unpinned": pin}, as_json, f"unpinned {pin}")


def _pins_table(pins: Sequence[Pin]) -> Table:
    rows = (
        (pin.id, pin.type, f"{pin.importance:.2f}", format_time(pin.created_at), pin.reason or "", pin.content)
        for pin in pins
    )
    return Table(("pin", "type", "importance", "since", "reason", "text"), rows, right=("importance",))

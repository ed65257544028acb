"""How a conversation went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Space, Store
from recollect.cli.output import output, print_json, say, table

if TYPE_CHECKING:
    from recollect import Third


def arc(
    conversation: ConversationName,
    *,
    space: Space = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show how a conversation went: its beginning, middle and end, and its key moments.

    Example: recollect arc trip
    """
    with reading(store) as memory:
        found = memory.space(space).conversation(conversation).arc()
    if as_json:
        print_json(found)
        return
    thirds = (("beginning", found.beginning), ("middle", found.middle), ("end", found.end))
    output().print(table(("", "messages", "what was said", "what happened"), [_row(*third) for third in thirds]))
    for one in found.key_moments:
        say(f"key moment: {one.title} ({one.type}, messages {one.first_seq}-{one.last_seq})")


def _row(name: str, third: Third) -> tuple[object, ...]:
    span = f"{third.first_seq}-{third.last_seq}" if third.last_seq >= third.first_seq else ""
    return name, span, third.summary, "\n".join(one.title for one in third.episodes)

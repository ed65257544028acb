"""What was said in a conversation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.opening import reading
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Limit, Space, Store
from recollect.cli.output import output, print_json, table
from recollect.cli.text import moment

if TYPE_CHECKING:
    from recollect import Message


def messages(
    conversation: ConversationName,
    *,
    space: Space = SPACE,
    limit: Limit = 50,
    after: Annotated[int | None, typer.Option(metavar="SEQ", help="Those after this number.")] = None,
    before: Annotated[int | None, typer.Option(metavar="SEQ", help="The last ones before it.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show what was said in a conversation, oldest first.

    The last messages, unless told where to begin.

    Example: recollect messages trip --limit 20
    """
    with reading(store) as memory:
        chat = memory.space(space).conversation(conversation)
        found = chat.messages(limit, after=after, before=before)
        if not found:
            chat.info()  # says so where there is no such conversation
    if as_json:
        print_json(found)
    else:
        output().print(table(("#", "at", "role", "text"), map(_row, found), right=("#",)))


def _row(message: Message) -> tuple[object, ...]:
    return message.seq, moment(message.created_at), message.name or message.role, _whole(message)


def _whole(message: Message) -> str:
    """All that is in the message; what is not text is named."""
    content = message.content
    others = [] if isinstance(content, str) else [part.get("type") for part in content if "text" not in part]
    calls = [json.dumps(call.get("function", call), ensure_ascii=False) for call in message.tool_calls or ()]
    lines = [message.text, *(f"<{kind}>" for kind in others), *(f"calls {call}" for call in calls)]
    return "\n".join(text for text in lines if text)

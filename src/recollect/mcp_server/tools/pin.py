"""pin: keeps something in view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from recollect.errors import InvalidInput
from recollect.mcp_server.caller import Caller
from recollect.mcp_server.tool import Arguments, Reply, Tool


class Pinning(Arguments):
    conversation: str = Field(description="Which conversation.")
    text: str | None = Field(None, min_length=1, description="What to keep in view; or give `message`.")
    message: str | None = Field(None, description="The id of a message of that conversation to keep in view.")
    importance: float = Field(0.8, ge=0, le=1)


@dataclass(frozen=True, slots=True)
class Pinned:
    id: str
    conversation: str
    at: datetime
    importance: float


def run(caller: Caller, given: Pinning) -> Reply:
    chat = caller.space(given.space, "write").conversation(given.conversation)
    if given.text is not None and given.message is None:
        pin = chat.pin(given.text, importance=given.importance)
    elif given.message is not None and given.text is None:
        pin = chat.pin(chat.message(given.message), importance=given.importance)
    else:
        raise InvalidInput("give either `text` or `message`, the id of a message")
    return Reply(Pinned(pin.id, chat.id, pin.created_at, pin.importance), f"Pinned as {pin.id}.")


TOOL = Tool(
    name="pin",
    title="Pin",
    description=(
        "Keep a text, or a message, in view in a conversation until it is unpinned: it is in every context of it. Use "
        "it for what must not be lost sight of, such as a requirement or a deadline, and sparingly. Comes back: the "
        "pin's id, for unpin."
    ),
    arguments=Pinning,
    answer=Pinned,
    run=run,
    needs="write",
    idempotent=False,
)

"""pin and unpin: keep a text in every context of a conversation, and remove it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from aforesaid.errors import InvalidInput
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.tool import ToolArguments, ToolReply, tool


class PinToolArguments(ToolArguments):
    conversation: str = Field(description="The conversation's name.")
    text: str | None = Field(None, min_length=1, description="The text to pin; or pass `message`.")
    message: str | None = Field(None, description="The id of a message of that conversation to pin.")
    importance: float = Field(0.8, ge=0, le=1)


@dataclass(frozen=True, slots=True)
class PinToolAnswer:
    id: str
    conversation: str
    at: datetime
    importance: float


class UnpinToolArguments(ToolArguments):
    conversation: str = Field(description="The conversation's name.")
    id: str = Field(description="The pin's id.")


@dataclass(frozen=True, slots=True)
class UnpinToolAnswer:
    id: str


@tool("Pin", needs="write", idempotent=False)
def pin(caller: McpCaller, arguments: PinToolArguments) -> ToolReply[PinToolAnswer]:
    """Keep a text or a message in every context of a conversation until it is unpinned. Use it sparingly, for what
    must stay in view, such as a requirement or a deadline. Returns the pin's id, for unpin.
    """
    chat = caller.space(arguments.space, "write").conversation(arguments.conversation)
    if arguments.text is not None and arguments.message is None:
        pin = chat.pin(arguments.text, importance=arguments.importance)
    elif arguments.message is not None and arguments.text is None:
        pin = chat.pin(chat.message(arguments.message), importance=arguments.importance)
    else:
        raise InvalidInput("pass either `text`, or `message` with the id of a message")
    return ToolReply(PinToolAnswer(pin.id, chat.id, pin.created_at, pin.importance), f"Pinned as {pin.id}.")


@tool("Unpin", needs="write", destructive=True)
def unpin(caller: McpCaller, arguments: UnpinToolArguments) -> ToolReply[UnpinToolAnswer]:
    """Remove a pin by its id when it no longer matters. Its message stays. To erase text, use forget."""
    caller.space(arguments.space, "write").conversation(arguments.conversation).unpin(arguments.id)
    return ToolReply(UnpinToolAnswer(arguments.id), "Unpinned.")

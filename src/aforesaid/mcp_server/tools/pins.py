"""pin and unpin: keep a text in every context of a conversation, and remove it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from aforesaid.errors import InvalidInput
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.tool import ToolArguments, ToolReply, tool


class PinToolArguments(ToolArguments):
    conversation: str
    text: str | None = None
    message: str | None = Field(None, description="An id.")
    importance: float = Field(0.8, ge=0, le=1, description="0 to 1.")


@dataclass(frozen=True, slots=True)
class PinToolAnswer:
    id: str
    conversation: str
    at: datetime
    importance: float


class UnpinToolArguments(ToolArguments):
    conversation: str
    id: str


@dataclass(frozen=True, slots=True)
class UnpinToolAnswer:
    id: str


@tool(needs="write", idempotent=False)
def pin(caller: McpCaller, arguments: PinToolArguments) -> ToolReply[PinToolAnswer]:
    """Keep a text, or a message, in every context of a conversation. Use it sparingly."""
    chat = caller.space(arguments.space, "write").conversation(arguments.conversation)
    if arguments.text is not None and arguments.message is None:
        pin = chat.pin(arguments.text, importance=arguments.importance)
    elif arguments.message is not None and arguments.text is None:
        pin = chat.pin(chat.message(arguments.message), importance=arguments.importance)
    else:
        raise InvalidInput("pass either `text`, or `message` with the id of a message")
    return ToolReply(PinToolAnswer(pin.id, chat.id, pin.created_at, pin.importance), f"Pinned as {pin.id}.")


@tool(needs="write", destructive=True)
def unpin(caller: McpCaller, arguments: UnpinToolArguments) -> ToolReply[UnpinToolAnswer]:
    """Remove a pin. Its message stays."""
    caller.space(arguments.space, "write").conversation(arguments.conversation).unpin(arguments.id)
    return ToolReply(UnpinToolAnswer(arguments.id), "Unpinned.")

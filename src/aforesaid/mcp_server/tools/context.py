"""context: the context of a conversation, within a token budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.passage import NOTICE, MemoryPassage, PassageMask, passage_mask, render_passages
from aforesaid.mcp_server.tool import FilterArgument, ToolArguments, ToolReply, tool
from aforesaid.mcp_server.tools.recall import AFORESAID_SPEAKER

if TYPE_CHECKING:
    from aforesaid import Context, Message, NewestMessage, Pin, ProfileField, Quote, Space, Summary

    Item = str | ProfileField | Pin | Summary | Message | Quote | NewestMessage


class ContextToolArguments(ToolArguments):
    conversation: str
    query: str | None = Field(None, description="Default: the newest user message.")
    max_tokens: int = Field(2000, ge=200, le=32_000, description="Default 2000.")
    filter: FilterArgument = None


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A part of a context: profile, pins, summaries, history or recalled passages."""

    name: str
    passages: tuple[MemoryPassage, ...]


@dataclass(frozen=True, slots=True)
class ContextToolAnswer:
    """The context of a conversation. `aforesaid explain` shows the reason for each item by the id in `receipt`."""

    parts: tuple[ContextPart, ...]
    tokens: int
    receipt: str
    warnings: tuple[str, ...] = ()


@tool()
def context(caller: McpCaller, arguments: ContextToolArguments) -> ToolReply[ContextToolAnswer]:
    """What matters to resume a stored conversation: pins, summaries, the last messages, related passages. To look for
    one thing, use recall.
    """
    space = caller.space(arguments.space, "read")
    chat = space.conversation(arguments.conversation)
    tokens = arguments.max_tokens
    built = chat.context(arguments.query, max_tokens=tokens, overflow="truncate", filter=arguments.filter)
    return context_reply(space, built)


def context_reply(space: Space, context: Context) -> ToolReply[ContextToolAnswer]:
    parts = _parts(context, passage_mask(space))
    answer = ContextToolAnswer(parts, context.tokens, context.receipt.id, context.warnings)
    if not parts:
        return ToolReply(answer, "\n".join(("The memory has nothing for this conversation yet.", *context.warnings)))
    texts = (f"## {part.name}\n\n{render_passages(part.passages)}" for part in parts)
    return ToolReply(answer, "\n\n".join((NOTICE, *texts, *context.warnings)))


def _parts(context: Context, mask: PassageMask) -> tuple[ContextPart, ...]:
    here = context.receipt.conversation
    parts = (
        ContextPart(section.name, tuple(p for item in section.items if (p := _passage(item, here, mask))))
        for section in context.sections
    )
    return tuple(part for part in parts if part.passages)


def _passage(item: Item, conversation: str, mask: PassageMask) -> MemoryPassage | None:
    """Returns None for texts that are not from the memory, such as the caller's own question."""
    from aforesaid import Message, NewestMessage, Pin, ProfileField, Quote, Summary

    passage: MemoryPassage | None = None
    match item:
        case Message():
            return mask.message(item)
        case NewestMessage() if item.message is not None:
            return mask.message(item.message, item.text)
        case Quote():
            by, untrusted = item.speaker or item.role, item.imported or item.role == "tool"
            source = item.at, item.conversation, untrusted, item.whole
            passage = MemoryPassage(item.kind, item.id, item.text, by, *source)
        case Pin():
            passage = MemoryPassage("pin", item.id, item.content, "pinned", item.created_at, conversation)
        case Summary():
            passage = MemoryPassage("summary", item.id, item.text, AFORESAID_SPEAKER, conversation=item.conversation)
        case ProfileField():
            passage = MemoryPassage("profile", item.name, f"{item.name}: {item.value}", item.source, item.set_at)
    return passage and mask.passage(passage)

"""Brings the messages of Anthropic and of OpenAI's Responses into the form of chat APIs.

A tool call is in `tool_calls` of an assistant's message. The result of a tool is a message of the role `tool`, with the
`tool_call_id` of its call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportedMessage, SkipReason
from aforesaid.models.json import Json

CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")

Record = Mapping[str, Json]


def split_tool_blocks(message: ExportedMessage) -> Iterator[ExportedMessage]:
    """The message without Anthropic's tool blocks. Each `tool_result` is a message before it; `tool_use` blocks are its
    tool calls."""
    if isinstance(message.content, str):
        yield message
        return
    results = [part for part in message.content if _is_block(part, "tool_result", "tool_use_id")]
    uses = [part for part in message.content if _is_block(part, "tool_use", "id")]
    if not results and not uses:
        yield message
        return
    for part in results:
        own_id = None if message.id is None else parsing.stable_id(message.id, part["tool_use_id"])
        more = {**message.metadata, "error": True} if part.get("is_error") is True else message.metadata
        yield ExportedMessage(
            "tool",
            parsing.result_text(part.get("content")),
            own_id,
            message.at,
            tool_call_id=parsing.valid_id(part["tool_use_id"]),
            metadata=more,
        )
    tools = [id(part) for part in (*results, *uses)]
    rest = [part for part in message.content if id(part) not in tools]
    calls = {call.get("id"): call for call in message.tool_calls or ()}
    for part in uses:
        calls.setdefault(part["id"], parsing.tool_call(part["id"], part.get("name"), part.get("input")))
    if rest or calls:
        yield replace(message, content=rest or "", tool_calls=list(calls.values()) or None)


def _is_block(part: Record, kind: str, id_field: str) -> bool:
    return part.get("type") == kind and isinstance(part.get(id_field), str) and bool(part[id_field].strip())


def response_item(item: Record) -> ExportedMessage | str | None:
    """The message of a tool call or result in the Responses format, or the reason to leave out an item that is not a
    message. None for anything else."""
    kind, call_id = str(item.get("type")), parsing.valid_id(item.get("call_id"))
    id = parsing.valid_id(item.get("id"))
    if kind == "reasoning":
        return SkipReason.THOUGHTS
    if call_id is None or not (kind in CALLS or kind in RESULTS):
        return SkipReason.TOOL if kind.endswith(("_call", "_call_output")) else None
    if kind in RESULTS:
        return ExportedMessage("tool", parsing.result_text(item.get("output")), id, tool_call_id=call_id)
    call = parsing.tool_call(call_id, item.get("name") or kind, item.get(CALLS[kind]))
    return ExportedMessage("assistant", "", id, tool_calls=[call])

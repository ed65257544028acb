"""Chat turns: messages in the form that is counted and sent to a chat API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aforesaid.context.quote import is_external
from aforesaid.models.json import Json
from aforesaid.models.message import TEXT_PARTS, Message, Role
from aforesaid.models.value import Value
from aforesaid.text.control_tokens import neutralize
from aforesaid.text.harness import HARNESS_PART
from aforesaid.text.names import imitates, visible_name
from aforesaid.text.validate import compact_json

PASSED_PARTS = {"user": ("image_url", "input_audio", "file"), "assistant": ("refusal",)}  # others become text
LONGEST_NAME = 64
STOPPED = "[The user stopped this answer here.]"  # ends an incomplete answer, so that a model does not read it as whole

_NOT_IN_NAMES = re.compile(r"[\s\x00-\x1f\x7f-\x9f<|\\/>\[\]]+")


@dataclass(frozen=True, slots=True)
class ToolCall(Value):
    """A tool call. `kind` is function or custom; `arguments` is the text that the model wrote."""

    id: str
    kind: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatTurn(Value):
    """One message of a request. `parts` is set if the content is more than text."""

    role: Role
    text: str
    parts: tuple[Mapping[str, Json], ...] = ()
    name: str | None = None
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None


def to_turn(message: Message) -> ChatTurn:
    """The turn of a stored message. A part that chat APIs refuse in its role is replaced by a text that says so. Text
    of a tool or an import is neutralized; what user and assistant said in this conversation is sent as it was."""
    content = message.content
    if isinstance(content, str) and not message.tool_calls and message.role != "tool" and not message.metadata:
        spoken = message.name if message.role in ("user", "assistant") else None
        return ChatTurn(message.role, content, (), None if spoken is None else api_name(spoken, message.role))
    parts = () if isinstance(content, str) else tuple(_part(part, message.role) for part in _spoken(content))
    text_only = all(part["type"] == "text" for part in parts)
    turn = ChatTurn(
        role=message.role,
        text=_text(message, parts),
        parts=() if text_only else parts,
        name=api_name(message.name, message.role) if message.role in ("user", "assistant") else None,
        calls=tool_calls(message) or (),
        call_id=message.tool_call_id if message.role == "tool" else None,
    )
    return _neutralized(turn) if is_external(message) else turn


def _text(message: Message, parts: Sequence[Mapping[str, Json]]) -> str:
    text = "\n\n".join(part["text"] for part in parts if part["type"] == "text") if parts else message.text
    stopped = message.role == "assistant" and message.metadata.get("stopped") is True
    return f"{text}\n\n{STOPPED}" if stopped else text


def _neutralized(turn: ChatTurn) -> ChatTurn:
    parts = ({**part, "text": neutralize(part["text"])} if part["type"] == "text" else part for part in turn.parts)
    calls = (replace(call, arguments=neutralize(call.arguments)) for call in turn.calls)
    return replace(turn, text=neutralize(turn.text), parts=tuple(parts), calls=tuple(calls))


def tool_calls(message: Message) -> tuple[ToolCall, ...] | None:
    """The tool calls of a message; None if one of them has a form that chat APIs do not know."""
    if not message.tool_calls:
        return ()
    calls = tuple(_call(call) for call in message.tool_calls)
    valid = tuple(call for call in calls if call is not None)
    return valid if len(valid) == len(calls) else None


def api_name(name: str | None, role: Role) -> str | None:
    """A name that OpenAI accepts: no white space, none of `<|\\/>`, at most 64 characters. Brackets and invisible
    characters are removed too. None for a name that could pass for another role."""
    return (
        None
        if name is None or imitates(name, role)
        else _NOT_IN_NAMES.sub("_", visible_name(name).strip())[:LONGEST_NAME]
    )


def to_openai(turns: Iterable[ChatTurn]) -> list[dict[str, Json]]:
    return [_openai(turn) for turn in turns]


def _openai(turn: ChatTurn) -> dict[str, Json]:
    empty = not turn.text and not turn.parts and bool(turn.calls)
    message: dict[str, Json] = {
        "role": turn.role,
        "content": None if empty else [dict(part) for part in turn.parts] if turn.parts else turn.text,
    }
    if turn.name:
        message["name"] = turn.name
    if turn.calls:
        message["tool_calls"] = [_openai_call(call) for call in turn.calls]
    if turn.call_id is not None:
        message["tool_call_id"] = turn.call_id
    return message


def _openai_call(call: ToolCall) -> dict[str, Json]:
    key = "input" if call.kind == "custom" else "arguments"
    return {"id": call.id, "type": call.kind, call.kind: {"name": call.name, key: call.arguments}}


def _call(call: Mapping[str, Json]) -> ToolCall | None:
    kind = "custom" if call.get("type") == "custom" else "function"
    body, id = call.get(kind), call.get("id")
    if not isinstance(body, Mapping) or not isinstance(id, str) or not id or not isinstance(body.get("name"), str):
        return None
    arguments = body.get("input" if kind == "custom" else "arguments", "")
    return ToolCall(id, kind, body["name"], arguments if isinstance(arguments, str) else compact_json(arguments))


def _spoken(content: Sequence[Mapping[str, Json]]) -> Sequence[Mapping[str, Json]]:
    """The parts without those of the client program, unless there are no others."""
    return [part for part in content if part.get("type") != HARNESS_PART] or content


def _part(part: Mapping[str, Json], role: Role) -> Mapping[str, Json]:
    kind = part.get("type")
    if kind in TEXT_PARTS:
        return {"type": "text", "text": part["text"]}
    if kind in PASSED_PARTS.get(role, ()):
        return part
    return {"type": "text", "text": f"[{kind if isinstance(kind, str) else 'part'} left out]"}

"""A message as a chat API takes it. What is counted is what is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from recollect.models import TEXT_PARTS, Json, Message, Role
from recollect.text.accept import written

PASSED = {"user": ("image_url", "input_audio", "file"), "assistant": ("refusal",)}  # beside text; others become text
LONGEST_NAME = 64

_NOT_IN_NAMES = re.compile(r"[\s<|\\/>]+")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `kind` is function or custom; `arguments` is the text that the model wrote."""

    id: str
    kind: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a request. `parts` is set where the content is more than text."""

    role: Role
    text: str
    parts: tuple[Mapping[str, Json], ...] = ()
    name: str | None = None
    calls: tuple[Call, ...] = ()
    call_id: str | None = None


def turn(message: Message) -> Turn:
    """The stored message, with what no chat API takes in its role replaced by words that say so."""
    content = message.content
    parts = () if isinstance(content, str) else tuple(_part(part, message.role) for part in content)
    words = all(part["type"] == "text" for part in parts)
    return Turn(
        role=message.role,
        text="\n\n".join(part["text"] for part in parts if part["type"] == "text") if parts else message.text,
        parts=() if words else parts,
        name=api_name(message.name) if message.role in ("user", "assistant") else None,
        calls=calls(message) or (),
        call_id=message.tool_call_id if message.role == "tool" else None,
    )


def calls(message: Message) -> tuple[Call, ...] | None:
    """The tool calls of a message; None where one of them is not of a shape that chat APIs know."""
    found = [_call(call) for call in message.tool_calls or ()]
    whole = tuple(call for call in found if call is not None)
    return whole if len(whole) == len(found) else None


def api_name(name: str | None) -> str | None:
    """A name as OpenAI takes it: no white space, none of `<|\\/>`, 64 characters at most."""
    return None if name is None else _NOT_IN_NAMES.sub("_", name.strip())[:LONGEST_NAME]


def openai(turns: Iterable[Turn]) -> list[dict[str, Json]]:
    """Chat messages as OpenAI's API takes them."""
    return [_openai(turn) for turn in turns]


def _openai(turn: Turn) -> dict[str, Json]:
    empty = not turn.text and not turn.parts and bool(turn.calls)
    made: dict[str, Json] = {
        "role": turn.role,
        "content": None if empty else [dict(part) for part in turn.parts] if turn.parts else turn.text,
    }
    if turn.name:
        made["name"] = turn.name
    if turn.calls:
        made["tool_calls"] = [_openai_call(call) for call in turn.calls]
    if turn.call_id is not None:
        made["tool_call_id"] = turn.call_id
    return made


def _openai_call(call: Call) -> dict[str, Json]:
    key = "input" if call.kind == "custom" else "arguments"
    return {"id": call.id, "type": call.kind, call.kind: {"name": call.name, key: call.arguments}}


def _call(call: Mapping[str, Json]) -> Call | None:
    kind = "custom" if call.get("type") == "custom" else "function"
    body, id = call.get(kind), call.get("id")
    if not isinstance(body, Mapping) or not isinstance(id, str) or not id or not isinstance(body.get("name"), str):
        return None
    arguments = body.get("input" if kind == "custom" else "arguments", "")
    return Call(id, kind, body["name"], arguments if isinstance(arguments, str) else written(arguments))


def _part(part: Mapping[str, Json], role: Role) -> Mapping[str, Json]:
    kind = part.get("type")
    if kind in TEXT_PARTS:
        return {"type": "text", "text": part["text"]}
    if kind in PASSED.get(role, ()):
        return part
    return {"type": "text", "text": f"[{kind if isinstance(kind, str) else 'part'} left out]"}

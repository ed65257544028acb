"""Converts turns to a request for Anthropic's API."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from aforesaid.context.turn import ChatTurn, ToolCall
from aforesaid.models.json import Json

EPHEMERAL = {"type": "ephemeral"}
_SYSTEM_MARK = re.compile(r"(?<!\S)\[\s*system\s*\]", re.IGNORECASE)
_DATA = re.compile(r"data:(?P<type>[\w/+.-]+);base64,(?P<data>.*)", re.DOTALL)

Block = dict[str, Json]


def to_anthropic(turns: Sequence[ChatTurn], prefix: int, *, cache: bool = False) -> dict[str, Json]:
    """`system` and `messages`. Consecutive messages of one role are joined. The first message is the user's. With
    `cache`, the system text and the last of the first `prefix` turns, which do not change, carry a cache marker."""
    opening = [turn for turn in turns[:1] if turn.role == "system"]
    system: list[Block] = [{"type": "text", "text": turn.text} for turn in opening if turn.text.strip()]
    messages: list[dict[str, Json]] = []
    for at, turn in enumerate(turns[len(opening) :], len(opening)):
        blocks = _blocks(turn)
        if cache and at == prefix - 1 and blocks:
            blocks[-1]["cache_control"] = EPHEMERAL
        _add(messages, "assistant" if turn.role == "assistant" else "user", blocks)
    if cache and system:
        system[-1]["cache_control"] = EPHEMERAL
    request: dict[str, Json] = {"messages": messages}
    return {"system": system, **request} if system else request


def count_before_first_user(turns: Sequence[ChatTurn]) -> int:
    """The number of turns that the API refuses because the first message must be the user's."""
    roles = [turn.role for turn in turns if turn.role != "system"]
    return roles.index("user") if "user" in roles else len(roles)


def _add(messages: list[dict[str, Json]], role: str, blocks: list[Block]) -> None:
    if not blocks or (not messages and role != "user"):
        return
    if not messages and blocks[0]["type"] == "tool_result":  # its call was before the first user message
        return
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _blocks(turn: ChatTurn) -> list[Block]:
    if turn.role == "tool":
        result: Block = {"type": "tool_result", "tool_use_id": turn.call_id}
        return [result | {"content": turn.text} if turn.text.strip() else result]
    if turn.parts:
        blocks = [block for part in turn.parts if (block := _part(part)) is not None]
    else:
        blocks = [{"type": "text", "text": _said(turn.text)}] if turn.text.strip() else []
    if turn.role == "system":
        blocks = [{"type": "text", "text": f"[system] {turn.text}"}]
    uses = [{"type": "tool_use", "id": call.id, "name": call.name, "input": _arguments(call)} for call in turn.calls]
    return [*blocks, *uses]


def _said(text: str) -> str:
    """The text of a message that is not a system message. Its first words cannot pass for the mark of one."""
    return _SYSTEM_MARK.sub("(system)", text)


def _arguments(call: ToolCall) -> dict[str, Json]:
    """The arguments of a call as an object; under `_raw` if they are not a JSON object."""
    if not call.arguments.strip():
        return {}
    try:
        parsed = json.loads(call.arguments)
    except ValueError:
        return {"_raw": call.arguments}
    return parsed if isinstance(parsed, dict) else {"_raw": call.arguments}


def _part(part: Mapping[str, Json]) -> Block | None:
    if part["type"] == "text":
        return {"type": "text", "text": _said(part["text"])} if part["text"].strip() else None
    if part["type"] == "image_url" and (image := _image(part.get("image_url"))) is not None:
        return image
    if part["type"] == "refusal":
        return {"type": "text", "text": str(part.get("refusal") or "[refusal]")}
    return {"type": "text", "text": f"[{part['type']} left out]"}


def _image(image: Json) -> Block | None:
    url = image.get("url") if isinstance(image, Mapping) else image
    if not isinstance(url, str):
        return None
    data = _DATA.fullmatch(url)
    if data:
        source = {"type": "base64", "media_type": data["type"], "data": data["data"]}
    elif url.startswith(("https://", "http://")):
        source = {"type": "url", "url": url}
    else:
        return None
    return {"type": "image", "source": source}

"""Parses replies in the format of the OpenAI Chat Completions API. Only the first choice is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from aforesaid.models.json import Json
from aforesaid.replies.json_path import get_list, get_path, get_text, join_text, parse_json, sum_tokens
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent

DONE = "[DONE]"
KINDS = {"function": "arguments", "custom": "input"}  # kinds of tool calls, and the field of their input


class ChatEventParser:
    """Parses `chat.completion.chunk` events."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._calls = ToolCallAssembler()
        self._finish: str | None = None
        self._usage: Json = None
        self._failure: str | None = None
        self.over = False
        self._names: dict[str, str] = {}

    def feed(self, event: ServerSentEvent) -> str:
        """The text that an event adds."""
        if event.data.strip() == DONE:
            self.over = True
            return ""
        chunk = parse_json(event.data)
        if get_path(chunk, "error") is not None:
            self._failure = failure_kind(chunk)
        self._names = {name: text for name in ("id", "model") if (text := get_text(chunk, name))} | self._names
        self._usage = get_path(chunk, "usage") or self._usage
        choice = next((each for each in get_list(chunk, "choices") if get_path(each, "index") in (0, None)), None)
        self._finish = get_text(choice, "finish_reason") or self._finish
        self._calls.feed(get_list(choice, "delta", "tool_calls"))
        piece = message_text(get_path(choice, "delta"))
        self._pieces.append(piece)
        return piece

    def reply(self) -> ModelReply:
        ended = self._failure is None and (self._finish is not None or self.over)
        choice = {"finish_reason": self._finish, "message": {"content": "".join(self._pieces)}}
        reply = parse_body({**self._names, "usage": self._usage, "choices": [choice]})
        calls = self._calls.tool_calls() if ended else ()
        return replace(reply, tool_calls=calls, ended=ended, failure=self._failure)


class ToolCallAssembler:
    """Assembles tool calls from pieces, each with the index of its call."""

    def __init__(self) -> None:
        self._calls: list[dict[str, list[str]]] = []
        self._places: dict[Json, int] = {}

    def feed(self, pieces: list[Json]) -> None:
        for piece in pieces:
            call = self._calls[self._place(piece)]
            if get_text(piece, "id"):
                call["id"] = [get_text(piece, "id")]
            for kind, field in KINDS.items():
                if get_path(piece, kind) is not None:
                    call["type"] = [kind]
                    call.setdefault("name", []).append(get_text(piece, kind, "name"))
                    call.setdefault(field, []).append(get_text(piece, kind, field))

    def tool_calls(self) -> tuple[dict[str, Json], ...]:
        return tuple(to_tool_call(call) for call in self._calls if "name" in call)

    def _place(self, piece: Json) -> int:
        """The place of a piece. Some services give every call the same index, or none, and an id of its own."""
        index, id = get_path(piece, "index"), get_text(piece, "id")
        key = index if isinstance(index, int) else None
        place = self._places.get(key)
        if place is None or (id and self._calls[place].get("id", [id]) != [id]):
            place = self._places[key] = len(self._calls)
            self._calls.append({})
        return place


def to_tool_call(call: Mapping[str, list[str]]) -> dict[str, Json]:
    kind = "".join(call["type"])
    field = KINDS[kind]
    function = {"name": join_text(call["name"]), field: join_text(call.get(field, []))}
    return {"id": join_text(call.get("id", [])), "type": kind, kind: function}


def message_text(message: Json) -> str:
    """The text of a message or a delta. Some services send parts instead of a text."""
    parts = "".join(get_text(part, "text") for part in get_list(message, "content"))
    return get_text(message, "content") + parts + get_text(message, "refusal")


def failure_kind(body: Json) -> str:
    """The kind of failure in a body; never its message."""
    return get_text(body, "error", "type") or get_text(body, "error", "code") or "error"


def parse_body(body: Json) -> ModelReply:
    """The reply in a complete `chat.completion`."""
    choice = get_path(body, "choices", 0)
    message = get_path(choice, "message")
    calls = ToolCallAssembler()
    complete = [call for call in get_list(message, "tool_calls") if isinstance(call, dict)]
    calls.feed([{**call, "index": place} for place, call in enumerate(complete)])
    return ModelReply(
        text=join_text([message_text(message)]),
        tool_calls=calls.tool_calls(),
        finish=get_text(choice, "finish_reason") or None,
        prompt_tokens=sum_tokens(get_path(body, "usage", "prompt_tokens")),
        completion_tokens=sum_tokens(get_path(body, "usage", "completion_tokens")),
        ended=message is not None,
        failure=failure_kind(body) if get_path(body, "error") is not None else None,
        id=get_text(body, "id") or None,
        model=get_text(body, "model") or None,
    )

"""Parses replies in the format of the Anthropic Messages API."""

from __future__ import annotations

import json
from dataclasses import replace

from aforesaid.models.json import Json
from aforesaid.replies.json_path import event_kind, get_list, get_path, get_text, join_text, parse_json, sum_tokens
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent

INPUT_TOKEN_FIELDS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class MessagesEventParser:
    """Parses `message_start` to `message_stop`, without reasoning."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._calls: dict[Json, Json] = {}
        self._inputs: dict[Json, list[str]] = {}
        self._message: Json = None
        self._finish: str | None = None
        self._usage: dict[str, Json] = {}
        self._failure: str | None = None
        self.over = False

    def feed(self, event: ServerSentEvent) -> str:
        """The text that an event adds."""
        body = parse_json(event.data)
        kind = event_kind(body, event)
        if kind == "message_start":
            self._message = get_path(body, "message")
            self._update_usage(get_path(body, "message", "usage"))
        elif kind == "message_delta":
            self._finish = get_text(body, "delta", "stop_reason") or self._finish
            self._update_usage(get_path(body, "usage"))
        elif kind == "message_stop":
            self.over = True
        elif kind == "error":
            self._failure = get_text(body, "error", "type") or "error"
        piece = self._block(kind, body)
        self._pieces.append(piece)
        return piece

    def reply(self) -> ModelReply:
        ended = self.over and self._failure is None
        names = {name: get_text(self._message, name) for name in ("id", "model")}
        content = [{"type": "text", "text": "".join(self._pieces)}]
        reply = parse_body({**names, "content": content, "stop_reason": self._finish, "usage": self._usage})
        calls = tuple(map(self._tool_call, self._calls)) if ended else ()
        return replace(reply, tool_calls=calls, ended=ended, failure=self._failure)

    def _block(self, kind: str, body: Json) -> str:
        index = get_path(body, "index")
        place = index if isinstance(index, int) else None
        if kind == "content_block_start":
            if get_text(body, "content_block", "type") == "tool_use":
                self._calls[place] = get_path(body, "content_block")
            return get_text(body, "content_block", "text")
        if kind != "content_block_delta":
            return ""
        if get_text(body, "delta", "type") == "input_json_delta":
            self._inputs.setdefault(place, []).append(get_text(body, "delta", "partial_json"))
        return get_text(body, "delta", "text")

    def _tool_call(self, place: Json) -> dict[str, Json]:
        return to_tool_call(self._calls[place], join_text(self._inputs.get(place, [])) or None)

    def _update_usage(self, usage: Json) -> None:
        if isinstance(usage, dict):
            self._usage |= {name: number for name, number in usage.items() if number is not None}


def parse_body(body: Json) -> ModelReply:
    """The reply in a complete `message`."""
    blocks = get_list(body, "content")
    return ModelReply(
        text=join_text(get_text(block, "text") for block in blocks if get_text(block, "type") == "text"),
        tool_calls=tuple(to_tool_call(block) for block in blocks if get_text(block, "type") == "tool_use"),
        finish=get_text(body, "stop_reason") or None,
        prompt_tokens=sum_tokens(*(get_path(body, "usage", part) for part in INPUT_TOKEN_FIELDS)),
        completion_tokens=sum_tokens(get_path(body, "usage", "output_tokens")),
        ended=get_text(body, "type") == "message",
        failure=(get_text(body, "error", "type") or "error") if get_path(body, "error") is not None else None,
        id=get_text(body, "id") or None,
        model=get_text(body, "model") or None,
    )


def to_tool_call(block: Json, arguments: str | None = None) -> dict[str, Json]:
    """A tool call in the format of chat completions. `arguments` is its streamed input."""
    if arguments is None:
        arguments = json.dumps(get_path(block, "input") or {}, ensure_ascii=False)
    function = {"name": join_text([get_text(block, "name")]), "arguments": join_text([arguments])}
    return {"id": join_text([get_text(block, "id")]), "type": "function", "function": function}

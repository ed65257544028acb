"""Parses replies in the format of Ollama's own API: /api/chat and /api/generate, as a stream of JSON lines or whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from aforesaid.models.json import Json
from aforesaid.replies.json_path import get_list, get_path, get_text, join_text, parse_json, sum_tokens
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent


class JsonLinesParser:
    """Returns each line as an event as soon as its last byte arrives."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        first, *more = piece.split(b"\n")
        self._rest += first
        events: list[ServerSentEvent] = []
        for following in more:
            if self._rest.strip():
                events.append(ServerSentEvent("", self._rest.decode("utf-8", "replace")))
            self._rest = bytearray(following)
        return events

    def end(self) -> list[ServerSentEvent]:
        """The last line, if its line feed is missing."""
        return self.feed(b"\n")


class OllamaEventParser:
    """Parses the lines of a stream, without reasoning. The last one has `done`."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._calls: list[Json] = []
        self._last: Json = None
        self._failure: str | None = None

    def feed(self, event: ServerSentEvent) -> str:
        """The text that a line adds."""
        body = parse_json(event.data)
        if get_path(body, "error") is not None:
            self._failure = "error"
        if get_path(body, "done") is True:
            self._last = body
        self._calls += get_list(body, "message", "tool_calls")
        piece = reply_text(body)
        self._pieces.append(piece)
        return piece

    @property
    def over(self) -> bool:
        return self._last is not None

    def reply(self) -> ModelReply:
        reply = parse_body(self._last)
        ended = self.over and self._failure is None
        calls = to_tool_calls(self._calls) if ended else ()
        return replace(reply, text=join_text(self._pieces), tool_calls=calls, ended=ended, failure=self._failure)


def reply_text(body: Json) -> str:
    return get_text(body, "message", "content") + get_text(body, "response")


def parse_body(body: Json) -> ModelReply:
    """The reply in a complete body."""
    failed = get_path(body, "error") is not None
    return ModelReply(
        text=join_text([reply_text(body)]),
        tool_calls=to_tool_calls(get_list(body, "message", "tool_calls")),
        finish=get_text(body, "done_reason") or None,
        prompt_tokens=sum_tokens(get_path(body, "prompt_eval_count")),
        completion_tokens=sum_tokens(get_path(body, "eval_count")),
        ended=get_path(body, "done") is True and not failed,
        failure="error" if failed else None,
        model=get_text(body, "model") or None,
    )


def to_tool_calls(calls: Sequence[Json]) -> tuple[dict[str, Json], ...]:
    """Tool calls in the format of chat completions. Ollama's calls have no ids, or ids that clients do not keep. So an
    id depends on the call and its place: it is the same in the reply and in the history of later requests."""
    return tuple(_to_tool_call(call, place) for place, call in enumerate(calls))


def _to_tool_call(call: Json, place: int) -> dict[str, Json]:
    name, given = join_text([get_text(call, "function", "name")]), get_path(call, "function", "arguments")
    values = parse_json(given) if isinstance(given, str) else given
    arguments = join_text([json.dumps(values or {}, ensure_ascii=False)])
    key = json.dumps([place, name, values or {}], sort_keys=True)
    id = f"call-{blake2b(key.encode(), digest_size=12).hexdigest()}"
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def with_call_ids(items: Sequence[Json]) -> list[Json]:
    """The items of a history with their tool calls in the format of chat completions, and each result with the id of
    its call. Clients name the call by its id, by the name of its tool, or not at all: then it is the next one."""
    made: list[Json] = []
    open_calls: list[tuple[Json, dict[str, Json]]] = []  # the newest calls without results, as given and with their ids
    for item in items:
        fields: dict[str, Json] = {}
        given = get_list(item, "tool_calls")
        if given:
            calls = to_tool_calls(given)
            open_calls, fields = list(zip(given, calls, strict=True)), {"tool_calls": list(calls)}
        elif get_text(item, "role") == "tool":
            fields = {"tool_call_id": _take_call_id(item, open_calls)}
        made.append({**item, **fields} if isinstance(item, dict) else item)
    return made


def _take_call_id(result: Json, open_calls: list[tuple[Json, dict[str, Json]]]) -> Json:
    names = [name for field in ("tool_call_id", "tool_name", "name") if (name := get_text(result, field))]
    named = [pair for pair in open_calls if {get_text(pair[0], "id"), get_text(pair[0], "function", "name")} & {*names}]
    for pair in (named or open_calls)[:1]:
        open_calls.remove(pair)
        return pair[1]["id"]
    return next(iter(names), "call")

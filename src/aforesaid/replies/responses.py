"""Parses replies in the format of the OpenAI Responses API."""

from __future__ import annotations

from aforesaid.models.json import Json
from aforesaid.replies.json_path import event_kind, get_list, get_path, get_text, join_text, parse_json, sum_tokens
from aforesaid.replies.reply import ModelReply
from aforesaid.replies.sse import ServerSentEvent

ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
WORDS = ("response.output_text.delta", "response.refusal.delta")


class ResponsesEventParser:
    """Parses `response.*` events. The last one has the complete answer."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._response: Json = None
        self._created: Json = None
        self._failure: str | None = None

    def feed(self, event: ServerSentEvent) -> str:
        """The text that an event adds."""
        body = parse_json(event.data)
        kind = event_kind(body, event)
        if kind in ENDS:
            self._response = get_path(body, "response")
        elif kind == "response.created":
            self._created = get_path(body, "response")
        elif kind == "error":
            self._failure = get_text(body, "code") or get_text(body, "error", "code") or "error"
        piece = get_text(body, "delta") if kind in WORDS else ""
        self._pieces.append(piece)
        return piece

    @property
    def over(self) -> bool:
        return self._response is not None

    def reply(self) -> ModelReply:
        if self._response is not None and self._failure is None:
            return parse_body(self._response)
        id, model = get_text(self._created, "id") or None, get_text(self._created, "model") or None
        return ModelReply(text=join_text(self._pieces), failure=self._failure, id=id, model=model)


def parse_body(body: Json) -> ModelReply:
    """The reply in a complete `response`."""
    output = get_list(body, "output")
    status = get_text(body, "status")
    ended = status in ("completed", "incomplete")
    calls = [
        to_tool_call(item)
        for item in output
        if get_text(item, "type") in CALLS and get_text(item, "status") != "incomplete"
    ]
    return ModelReply(
        text=join_text(piece for item in output for piece in item_text(item)),
        tool_calls=tuple(calls) if ended else (),
        finish=get_text(body, "incomplete_details", "reason") or status or None,
        prompt_tokens=sum_tokens(get_path(body, "usage", "input_tokens")),
        completion_tokens=sum_tokens(get_path(body, "usage", "output_tokens")),
        ended=ended,
        failure=(get_text(body, "error", "code") or "error") if get_path(body, "error") is not None else None,
        id=get_text(body, "id") or None,
        model=get_text(body, "model") or None,
    )


def item_text(item: Json) -> list[str]:
    """The texts of an output item, without reasoning."""
    if get_text(item, "type") != "message":
        return []
    return [get_text(part, "text") + get_text(part, "refusal") for part in get_list(item, "content")]


CALLS = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}


def to_tool_call(item: Json) -> dict[str, Json]:
    """A tool call in the format of chat completions."""
    kind, field = CALLS[get_text(item, "type")]
    function = {"name": join_text([get_text(item, "name")]), field: join_text([get_text(item, field)])}
    return {"id": join_text([get_text(item, "call_id")]), "type": kind, kind: function}

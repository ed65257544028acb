"""OpenAI's Responses."""

from __future__ import annotations

from recollect.models import Json
from recollect.replies.reply import Reply
from recollect.replies.sse import Event
from recollect.replies.values import at, items, kind_of, parsed, tokens, whole, word

ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
WORDS = ("response.output_text.delta", "response.refusal.delta")


class ResponsesReading:
    """Follows `response.*` events. The last one has the whole answer."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._whole: Json = None
        self._begun: Json = None
        self._failure: str | None = None

    def feed(self, event: Event) -> str:
        """The words that an event adds."""
        body = parsed(event.data)
        kind = kind_of(body, event)
        if kind in ENDS:
            self._whole = at(body, "response")
        elif kind == "response.created":
            self._begun = at(body, "response")
        elif kind == "error":
            self._failure = word(body, "code") or word(body, "error", "code") or "error"
        piece = word(body, "delta") if kind in WORDS else ""
        self._pieces.append(piece)
        return piece

    @property
    def over(self) -> bool:
        return self._whole is not None

    def reply(self) -> Reply:
        if self._whole is not None and self._failure is None:
            return read(self._whole)
        id, model = word(self._begun, "id") or None, word(self._begun, "model") or None
        return Reply(text=whole(self._pieces), failure=self._failure, id=id, model=model)


def read(body: Json) -> Reply:
    """The reply in a whole `response`."""
    output = items(body, "output")
    status = word(body, "status")
    ended = status in ("completed", "incomplete")
    calls = [made(item) for item in output if word(item, "type") in CALLS and word(item, "status") != "incomplete"]
    return Reply(
        text=whole(piece for item in output for piece in said(item)),
        tool_calls=tuple(calls) if ended else (),
        finish=word(body, "incomplete_details", "reason") or status or None,
        prompt_tokens=tokens(at(body, "usage", "input_tokens")),
        completion_tokens=tokens(at(body, "usage", "output_tokens")),
        ended=ended,
        failure=(word(body, "error", "code") or "error") if at(body, "error") is not None else None,
        id=word(body, "id") or None,
        model=word(body, "model") or None,
    )


def said(item: Json) -> list[str]:
    """The words of an item of the output; nothing of what was thought."""
    if word(item, "type") != "message":
        return []
    return [word(part, "text") + word(part, "refusal") for part in items(item, "content")]


CALLS = {"function_call": ("function", "arguments"), "custom_tool_call": ("custom", "input")}


def made(item: Json) -> dict[str, Json]:
    """A call among the items of an output, as chat completions would have it."""
    kind, given = CALLS[word(item, "type")]
    said = {"name": whole([word(item, "name")]), given: whole([word(item, given)])}
    return {"id": whole([word(item, "call_id")]), "type": kind, kind: said}

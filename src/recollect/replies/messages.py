"""Anthropic's messages."""

from __future__ import annotations

import json

from recollect.models import Json
from recollect.replies.reply import Reply
from recollect.replies.sse import Event
from recollect.replies.values import at, items, kind_of, parsed, tokens, whole, word

USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class MessagesReading:
    """Follows `message_start` to `message_stop`. What was thought is left out."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._calls: dict[Json, Json] = {}
        self._inputs: dict[Json, list[str]] = {}
        self._begun: Json = None
        self._finish: str | None = None
        self._used: dict[str, Json] = {}
        self._failure: str | None = None
        self._stopped = False

    def feed(self, event: Event) -> str:
        """The words that an event adds."""
        body = parsed(event.data)
        kind = kind_of(body, event)
        if kind == "message_start":
            self._begun = at(body, "message")
            self._note_used(at(body, "message", "usage"))
        elif kind == "message_delta":
            self._finish = word(body, "delta", "stop_reason") or self._finish
            self._note_used(at(body, "usage"))
        elif kind == "message_stop":
            self._stopped = True
        elif kind == "error":
            self._failure = word(body, "error", "type") or "error"
        piece = self._block(kind, body)
        self._pieces.append(piece)
        return piece

    @property
    def over(self) -> bool:
        return self._stopped

    def reply(self) -> Reply:
        ended = self._stopped and self._failure is None
        return Reply(
            text=whole(self._pieces),
            tool_calls=tuple(self._made(place) for place in self._calls) if ended else (),
            finish=self._finish,
            prompt_tokens=tokens(*(self._used.get(part) for part in USED)),
            completion_tokens=tokens(self._used.get("output_tokens")),
            ended=ended,
            failure=self._failure,
            id=word(self._begun, "id") or None,
            model=word(self._begun, "model") or None,
        )

    def _block(self, kind: str, body: Json) -> str:
        index = at(body, "index")
        place = index if isinstance(index, int) else None
        if kind == "content_block_start":
            if word(body, "content_block", "type") == "tool_use":
                self._calls[place] = at(body, "content_block")
            return word(body, "content_block", "text")
        if kind != "content_block_delta":
            return ""
        if word(body, "delta", "type") == "input_json_delta":
            self._inputs.setdefault(place, []).append(word(body, "delta", "partial_json"))
        return word(body, "delta", "text")

    def _made(self, place: Json) -> dict[str, Json]:
        given = whole(self._inputs.get(place, []))
        return made(self._calls[place], given or None)

    def _note_used(self, used: Json) -> None:
        if isinstance(used, dict):
            self._used |= {name: number for name, number in used.items() if number is not None}


def read(body: Json) -> Reply:
    """The reply in a whole `message`."""
    blocks = items(body, "content")
    return Reply(
        text=whole(word(block, "text") for block in blocks if word(block, "type") == "text"),
        tool_calls=tuple(made(block) for block in blocks if word(block, "type") == "tool_use"),
        finish=word(body, "stop_reason") or None,
        prompt_tokens=tokens(*(at(body, "usage", part) for part in USED)),
        completion_tokens=tokens(at(body, "usage", "output_tokens")),
        ended=word(body, "type") == "message",
        failure=(word(body, "error", "type") or "error") if at(body, "error") is not None else None,
        id=word(body, "id") or None,
        model=word(body, "model") or None,
    )


def made(block: Json, given: str | None = None) -> dict[str, Json]:
    """A block that calls a tool, as chat completions would have it; `given` is its input where that was streamed."""
    if given is None:
        given = json.dumps(at(block, "input") or {}, ensure_ascii=False)
    said = {"name": whole([word(block, "name")]), "arguments": whole([given])}
    return {"id": whole([word(block, "id")]), "type": "function", "function": said}

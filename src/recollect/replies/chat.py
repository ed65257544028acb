"""OpenAI's chat completions: the first choice of them."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.models import Json
from recollect.replies.reply import Reply
from recollect.replies.sse import Event
from recollect.replies.values import at, items, parsed, tokens, whole, word

DONE = "[DONE]"
KINDS = {"function": "arguments", "custom": "input"}  # a call's kind, and what its input is called


class ChatReading:
    """Follows `chat.completion.chunk` events."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._calls = Calls()
        self._finish: str | None = None
        self._used: Json = None
        self._failure: str | None = None
        self._done = False
        self._names: dict[str, str] = {}

    def feed(self, event: Event) -> str:
        """The words that an event adds."""
        if event.data.strip() == DONE:
            self._done = True
            return ""
        chunk = parsed(event.data)
        if at(chunk, "error") is not None:
            self._failure = failure(chunk)
        self._names = {name: word(chunk, name) for name in ("id", "model") if word(chunk, name)} | self._names
        self._used = at(chunk, "usage") or self._used
        choice = next((one for one in items(chunk, "choices") if at(one, "index") in (0, None)), None)
        self._finish = word(choice, "finish_reason") or self._finish
        self._calls.feed(items(choice, "delta", "tool_calls"))
        piece = said(at(choice, "delta"))
        self._pieces.append(piece)
        return piece

    @property
    def over(self) -> bool:
        return self._done

    def reply(self) -> Reply:
        ended = self._failure is None and (self._finish is not None or self._done)
        return Reply(
            text=whole(self._pieces),
            tool_calls=self._calls.made() if ended else (),
            finish=self._finish,
            prompt_tokens=tokens(at(self._used, "prompt_tokens")),
            completion_tokens=tokens(at(self._used, "completion_tokens")),
            ended=ended,
            failure=self._failure,
            id=self._names.get("id"),
            model=self._names.get("model"),
        )


class Calls:
    """Tool calls that come in pieces, each with the place of its call."""

    def __init__(self) -> None:
        self._calls: list[dict[str, list[str]]] = []
        self._places: dict[Json, int] = {}

    def feed(self, pieces: list[Json]) -> None:
        for piece in pieces:
            call = self._calls[self._place(piece)]
            if word(piece, "id"):
                call["id"] = [word(piece, "id")]
            for kind, given in KINDS.items():
                if at(piece, kind) is not None:
                    call["type"] = [kind]
                    call.setdefault("name", []).append(word(piece, kind, "name"))
                    call.setdefault(given, []).append(word(piece, kind, given))

    def made(self) -> tuple[dict[str, Json], ...]:
        return tuple(made(call) for call in self._calls if "name" in call)

    def _place(self, piece: Json) -> int:
        """Where a piece belongs. Some services give every call the same place, or none, and an id of its own."""
        index, id = at(piece, "index"), word(piece, "id")
        key = index if isinstance(index, int) else None
        place = self._places.get(key)
        if place is None or (id and self._calls[place].get("id", [id]) != [id]):
            place = self._places[key] = len(self._calls)
            self._calls.append({})
        return place


def made(call: Mapping[str, list[str]]) -> dict[str, Json]:
    kind = "".join(call["type"])
    given = KINDS[kind]
    said = {"name": whole(call["name"]), given: whole(call.get(given, []))}
    return {"id": whole(call.get("id", [])), "type": kind, kind: said}


def said(message: Json) -> str:
    """The words of a message or of a piece of one. Some services give parts in place of a text."""
    parts = "".join(word(part, "text") for part in items(message, "content"))
    return word(message, "content") + parts + word(message, "refusal")


def failure(body: Json) -> str:
    """The kind of failure that a body tells of; never its words."""
    return word(body, "error", "type") or word(body, "error", "code") or "error"


def read(body: Json) -> Reply:
    """The reply in a whole `chat.completion`."""
    choice = at(body, "choices", 0)
    message = at(choice, "message")
    calls = Calls()
    given = [call for call in items(message, "tool_calls") if isinstance(call, dict)]
    calls.feed([{**call, "index": place} for place, call in enumerate(given)])
    return Reply(
        text=whole([said(message)]),
        tool_calls=calls.made(),
        finish=word(choice, "finish_reason") or None,
        prompt_tokens=tokens(at(body, "usage", "prompt_tokens")),
        completion_tokens=tokens(at(body, "usage", "completion_tokens")),
        ended=message is not None,
        failure=failure(body) if at(body, "error") is not None else None,
        id=word(body, "id") or None,
        model=word(body, "model") or None,
    )

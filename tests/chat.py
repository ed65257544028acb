"""A chat service on the loopback interface, with the APIs of OpenAI and Anthropic and with configurable failures."""

from __future__ import annotations

import json
import re
import select
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import Handler, Request, Service

PIECE = b" " * 65_536
MOST_PIECES = 1_000


@dataclass(frozen=True)
class Said:
    """A response of the model: `ended` is the finish reason, `used` the tokens of prompt and completion."""

    text: str | None
    ended: str = "stop"
    used: tuple[Any, Any] | None = (11, 7)


@dataclass(frozen=True)
class Busy:
    """A response with a status and headers, as an overloaded service sends."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"error": {"message": "as told, diary"}}'


@dataclass(frozen=True)
class Streamed:
    """A streamed response, and the behavior after its last piece: end, stay (end, with the connection left open), hang,
    cut (the connection closes), slow (a piece every 10 ms, then the end), drip (a comment every 10 ms), pour (the last
    piece repeated endlessly), or an error event of that type."""

    pieces: tuple[str, ...]
    then: str = "end"


class Chat(Handler):
    def do_POST(self) -> None:  # noqa: N802 (a name that the base class requires)
        length = int(self.headers["Content-Length"])
        request = Request(self.path, dict(self.headers), json.loads(self.rfile.read(length)))
        self.act(request, self.server.owner.receive(request))

    def act(self, request: Request, behaviour: Any) -> None:
        if isinstance(behaviour, Busy | int):
            busy = Busy(behaviour) if isinstance(behaviour, int) else behaviour
            self.reply(busy.status, busy.body, headers=busy.headers)
        elif behaviour == "hang":
            self.server.owner.stopping.wait()
        elif behaviour in ("drip", "huge"):
            self.pour(0.01 if behaviour == "drip" else 0.0, b" " if behaviour == "drip" else PIECE)
        elif behaviour == "nonsense":
            self.reply(200, b"<html>it works</html>")
        elif behaviour == "strange":
            self.reply(200, b'["choices", {"content": 1}]')
        elif behaviour == "disconnect":
            self.close_connection = True
        elif isinstance(behaviour, Streamed):
            self.stream(request, Said("".join(behaviour.pieces)), behaviour.then, behaviour.pieces)
        elif isinstance(behaviour, tuple):
            self.understand(request, *behaviour)
        else:
            self.say(request, self.server.owner.answer(request, behaviour), cut=behaviour == "cut")

    def stream(self, request: Request, said: Said, then: str, pieces: Sequence[str] | None = None) -> None:
        """Sends the response as server-sent events, word by word."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        words = re.findall(r"\S*\s*", said.text or "") if pieces is None else list(pieces)
        shape = anthropic_events if request.path.endswith("/messages") else openai_events
        beginning, each, end = shape(said, counted="stream_options" in request.body)
        self.put(beginning)
        for piece in filter(None, words):
            self.put(each(piece))
            self.server.owner.stopping.wait(0.01 if then == "slow" else 0)
        if then in ("end", "slow"):
            self.put(*end)
        elif then == "stay":
            self.put(*end)
            self.linger("hang", None)
        elif then == "cut":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif then in ("hang", "drip", "pour"):
            self.linger(then, each(words[-1]))
        else:
            self.put({"type": "error", "error": {"type": then, "message": "as told, diary"}})

    def put(self, *events: Any) -> None:
        for event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            name = event.get("type") if isinstance(event, dict) else None
            self.wfile.write((f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode())
        self.wfile.flush()

    def linger(self, how: str, event: Any) -> None:
        """Keeps the connection open until the client disconnects, and sets `left`."""
        owner = self.server.owner
        while not owner.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.01 if how != "pour" else 0)
            try:
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    break
                if how == "drip":
                    self.wfile.write(b": here\n\n")
                elif how == "pour":
                    self.put(*[event] * 100)
            except OSError:
                break
        owner.left.set()

    def understand(self, request: Request, status: int, unknown: tuple[str, ...]) -> None:
        """Refuses requests that use unknown parameters."""
        if way(request) in unknown:
            self.reply(status, b'{"error": {"message": "unknown parameter"}}')
        else:
            self.act(request, "answer")

    def say(self, request: Request, said: Said, *, cut: bool) -> None:
        if request.body.get("stream") and self.server.owner.streams:
            self.stream(request, said, "cut" if cut else "end")
            return
        shape = anthropic if request.path.endswith("/messages") else openai
        self.reply(200, json.dumps(shape(said, way(request))).encode(), cut=cut)

    def pour(self, pause: float, piece: bytes) -> None:
        """Sends data until the client disconnects."""
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        owner = self.server.owner
        for _ in range(MOST_PIECES):
            if owner.stopping.wait(pause):
                return
            try:
                self.wfile.write(piece)
            except OSError:
                return
            owner.poured += len(piece)


class ChatServer(Service):
    """Responds with `says`: a text, a `Said`, or a function of the request that returns one.

    Behaviors: a status, `Busy`, answer, hang, drip (a byte every 10 ms), huge (65 MB), cut, nonsense, strange,
    disconnect, a text, a `Said`, a `Streamed`, a function; `(400, ("schema", "json"))` refuses these kinds of requests.
    A request for a stream gets one if `streams` is true; `left` is set when a client disconnects early.
    """

    handler = Chat

    def __init__(self, says: Any = "Hello.") -> None:
        self.says = says
        self.poured = 0
        self.streams = True
        self.left = threading.Event()
        super().__init__()

    def answer(self, request: Request, behaviour: Any) -> Said:
        found: str | Said | Callable[[Request], Any] = self.says if behaviour in ("answer", "cut") else behaviour
        while callable(found):
            found = found(request)
        return Said(found) if isinstance(found, str) else found

    @property
    def ways(self) -> list[str]:
        return [way(request) for request in self.requests]


def way(request: Request) -> str:
    """Returns the kind of a request: counted or uncounted for a streamed reply, else schema, json, tool or words."""
    body = request.body
    if body.get("stream") and "response_format" not in body and "temperature" not in body:
        return "counted" if "stream_options" in body else "uncounted"
    if "output_config" in body:
        return "schema"
    if "tools" in body:
        return "tool"
    form = body.get("response_format", {}).get("type")
    return {"json_schema": "schema", "json_object": "json", None: "words"}[form]


def openai(said: Said, _: str) -> dict[str, Any]:
    ended = {"cut": "length", "declined": "content_filter"}.get(said.ended, said.ended)
    answer: dict[str, Any] = {
        "id": "chatcmpl-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": said.text}, "finish_reason": ended},
        ],
    }
    if said.used is not None:
        answer["usage"] = {"prompt_tokens": said.used[0], "completion_tokens": said.used[1]}
    return answer


def anthropic(said: Said, way: str) -> dict[str, Any]:
    ended = {"cut": "max_tokens", "declined": "refusal", "stop": "end_turn"}.get(said.ended, said.ended)
    block: dict[str, Any] = {"type": "text", "text": said.text or ""}
    if way == "tool":
        block = {"type": "tool_use", "id": "t", "name": "answer", "input": json.loads(said.text or "{}")}
    answer: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "Hmm."}, block],
        "stop_reason": ended,
    }
    if said.used is not None:
        answer["usage"] = {"input_tokens": said.used[0], "output_tokens": said.used[1]}
    return answer


Shape = tuple[Any, Callable[[str], Any], list[Any]]


def openai_events(said: Said, *, counted: bool) -> Shape:
    ended = {"cut": "length", "declined": "content_filter"}.get(said.ended, said.ended)

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]}

    last: list[Any] = [chunk({}, ended)]
    if counted and said.used is not None:
        used = {"prompt_tokens": said.used[0], "completion_tokens": said.used[1]}
        last.append({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": used})
    return chunk({"role": "assistant", "content": ""}), lambda piece: chunk({"content": piece}), [*last, "[DONE]"]


def anthropic_events(said: Said, *, counted: bool) -> Shape:
    ended = {"cut": "max_tokens", "declined": "refusal", "stop": "end_turn"}.get(said.ended, said.ended)
    used = said.used or (None, None)
    start = {
        "type": "message_start",
        "message": {"id": "msg_1", "role": "assistant", "usage": {"input_tokens": used[0]}},
    }

    def piece(text: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}

    delta = {"type": "message_delta", "delta": {"stop_reason": ended}, "usage": {"output_tokens": used[1]}}
    return start, piece, [{"type": "content_block_stop", "index": 0}, delta, {"type": "message_stop"}]

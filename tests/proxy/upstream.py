"""A model service on the loopback interface with all wire formats, streaming and configurable failures."""

from __future__ import annotations

import json
import socket
import sys
import threading
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import brotli
from tests.loopback import Handler, Request, Service

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE = 7  # bytes per write of a stream, so that every event is split
USED = {"input": 11, "output": 7}


@dataclass(frozen=True)
class Answer:
    """The text of the model and its tool calls: (id, name, arguments)."""

    text: str = "Noted."
    calls: tuple[tuple[str, str, str], ...] = ()
    id: str = "r1"


@dataclass(frozen=True)
class Busy:
    """A status with headers and a body."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"error": {"type": "as_told", "message": "as told"}}'


@dataclass(frozen=True)
class Stall:
    """Half of a stream; the rest follows when the test sets `go_on`."""

    answer: Answer = Answer("one two three four five six seven eight nine ten")


@dataclass(frozen=True)
class Late:
    """A whole stream whose body ends when the test sets `go_on`."""

    answer: Answer = Answer()


@dataclass(frozen=True)
class Packed:
    """A compressed answer that the client did not request."""

    how: str
    answer: Answer = Answer()

    def pack(self, pieces: Sequence[bytes]) -> bytes:
        """Compresses so that each piece can be read as soon as it arrives."""
        if self.how == "br":
            packer = brotli.Compressor()
            return b"".join(packer.process(piece) + packer.flush() for piece in pieces) + packer.finish()
        if self.how == "zstd":
            packer = zstd.ZstdCompressor()
            return b"".join(packer.compress(piece, packer.FLUSH_BLOCK) for piece in pieces) + packer.flush()
        packer = zlib.compressobj(wbits={"gzip": 31, "deflate": 15, "bare deflate": -15}[self.how])
        parts = [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in pieces]
        return b"".join(parts) + packer.flush()

    def headers(self) -> dict[str, str]:
        return {"Content-Encoding": self.how.removeprefix("bare ")}


@dataclass(frozen=True)
class Cut:
    """Half of an answer, streamed or not; then the connection closes."""

    answer: Answer = Answer("one two three four five six seven eight nine ten")


class Talk(Handler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:  # noqa: N802 (the name that the base class expects)
        self.server.owner.receive(Request(self.path, dict(self.headers), {}))
        listed = TAGS if self.path == "/api/tags" else {"object": "list", "data": [{"id": "m-1", "object": "model"}]}
        self.reply(200, json.dumps(listed).encode())

    def do_POST(self) -> None:  # noqa: N802 (the name that the base class expects)
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.owner.raw.append(raw)
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            body = {}
        behaviour = self.server.owner.receive(Request(self.path, dict(self.headers), body))
        self.server.owner.asked.set()
        try:
            self.act(behaviour, body if isinstance(body, dict) else {})
        except OSError:  # the client disconnected
            self.close_connection = True
            self.server.owner.left.set()

    def act(self, behaviour: Any, body: dict[str, Any]) -> None:
        owner = self.server.owner
        if isinstance(behaviour, Busy):
            self.reply(behaviour.status, behaviour.body, headers=behaviour.headers)
        elif behaviour == "hang":
            self.gone()
        elif behaviour == "fussy":
            fussy = Busy(400) if b"<recalled>" in owner.raw[-1] else Answer()
            self.act(fussy, body)
        elif self.path.startswith("/v1/embeddings"):
            self.reply(200, b'{"data": [{"index": 0, "embedding": [0.5]}]}', headers={"X-Request-Id": "e1"})
        else:
            answer = behaviour if isinstance(behaviour, Answer) else getattr(behaviour, "answer", Answer())
            wire = self.path.partition("?")[0].removeprefix("/v1/")
            streamed = body.get("stream", wire in LINES)
            if isinstance(behaviour, Packed) and not streamed:
                packed = behaviour.pack([json.dumps(BODIES[wire](answer)).encode()])
                owner.streamed.append(packed)
                self.reply(200, packed, headers=behaviour.headers())
            elif streamed:
                self.stream(b"".join(STREAMS[wire](answer)), behaviour)
            else:
                self.reply(200, json.dumps(BODIES[wire](answer)).encode(), cut=isinstance(behaviour, Cut))

    def stream(self, data: bytes, behaviour: Any) -> None:
        packed: dict[str, str] = {}
        if isinstance(behaviour, Packed):
            packed = behaviour.headers()
            data = behaviour.pack([event + b"\n\n" for event in data.split(b"\n\n")[:-1]])
        self.server.owner.streamed.append(data)
        self.send_response(200)
        for name, value in packed.items():
            self.send_header(name, value)
        kind = "application/x-ndjson" if self.path in LINES else "text/event-stream; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("X-Request-Id", "s1")
        self.end_headers()
        half = len(data) // 2
        self.pieces(data[:half])
        if isinstance(behaviour, Cut):
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if isinstance(behaviour, Stall) and not self.server.owner.go_on.wait(30):
            return
        if behaviour == "pour":
            self.gone()
        self.pieces(data[half:])
        if isinstance(behaviour, Late) and not self.server.owner.go_on.wait(30):
            return
        self.wfile.write(b"0\r\n\r\n")

    def pieces(self, data: bytes) -> None:
        for at in range(0, len(data), PIECE):
            piece = data[at : at + PIECE]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()

    def gone(self) -> None:
        """Waits until the client closes the connection or the server stops."""
        self.connection.settimeout(0.05)
        while not self.server.owner.stopping.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
        raise ConnectionError


class Model(Service):
    """Answers POST /v1/chat/completions, /v1/responses, /v1/messages, /v1/embeddings, /api/chat and /api/generate, and
    GET /v1/models and /api/tags.

    A behaviour is an Answer, Stall, Late, Packed, Cut or Busy, or a string: `hang` sends nothing until the client
    disconnects, `pour` stops in the middle of a stream, and `fussy` rejects a request with a recalled block.
    """

    handler = Talk

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.streamed: list[bytes] = []
        self.go_on = threading.Event()
        self.asked = threading.Event()
        self.left = threading.Event()
        super().__init__()


def sse(event: dict[str, Any], *, named: bool) -> bytes:
    name = f"event: {event['type']}\n" if named else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def words(text: str) -> list[str]:
    return [piece + " " for piece in text.split(" ")[:-1]] + text.split(" ")[-1:]


def chat_calls(answer: Answer) -> list[dict[str, Any]]:
    return [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in answer.calls]


def chat_body(answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.calls:
        message["tool_calls"] = chat_calls(answer)
    finish = "tool_calls" if answer.calls else "stop"
    return {
        "id": answer.id,
        "object": "chat.completion",
        "created": 1,
        "model": "m-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def chat_stream(answer: Answer) -> Iterator[bytes]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        made = {"id": answer.id, "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
        return sse(made | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}, named=False)

    yield chunk({"role": "assistant", "content": ""})
    for word in words(answer.text):
        yield chunk({"content": word})
    for at, call in enumerate(chat_calls(answer)):
        yield chunk({"tool_calls": [{"index": at, **call, "function": {**call["function"], "arguments": ""}}]})
        for piece in words(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls" if answer.calls else "stop")
    yield b"data: [DONE]\n\n"


def response_body(answer: Answer) -> dict[str, Any]:
    output: list[dict[str, Any]] = [{"type": "reasoning", "id": f"rs_{answer.id}", "summary": []}]
    if answer.text:
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        made = {"type": "message", "id": f"msg_{answer.id}", "role": "assistant", "status": "completed"}
        output.append(made | {"content": [part]})
    for id, name, given in answer.calls:
        call = {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name, "arguments": given}
        output.append(call | {"status": "completed"})
    return {
        "id": answer.id,
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m-1",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "output_tokens": 7,
            "total_tokens": 18,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def response_stream(answer: Answer) -> Iterator[bytes]:
    whole = response_body(answer)
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for at, item in enumerate(whole["output"]):
        message = item["type"] == "message"
        started = item | ({"content": []} if message else {"arguments": ""} if "arguments" in item else {})
        events.append({"type": "response.output_item.added", "output_index": at, "item": started})
        if message:
            place = {"item_id": f"msg_{answer.id}", "output_index": at, "content_index": 0}
            part = {"type": "output_text", "text": "", "annotations": []}
            events.append({"type": "response.content_part.added", "part": part, **place})
            deltas = [{"type": "response.output_text.delta", "delta": word} for word in words(answer.text)]
            events += [delta | place | {"logprobs": []} for delta in deltas]
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    events.append({"type": "response.completed", "response": whole})
    for number, event in enumerate(events):
        yield sse(event | {"sequence_number": number}, named=True)


def message_body(answer: Answer) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": "hm", "signature": "sig"}]
    blocks += [{"type": "text", "text": answer.text}] if answer.text else []
    blocks += [{"type": "tool_use", "id": i, "name": n, "input": json.loads(a)} for i, n, a in answer.calls]
    return {
        "id": answer.id,
        "type": "message",
        "role": "assistant",
        "model": "m-1",
        "content": blocks,
        "stop_reason": "tool_use" if answer.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
    }


def message_stream(answer: Answer) -> Iterator[bytes]:
    whole = message_body(answer)
    begun = whole | {"content": [], "stop_reason": None, "usage": {"input_tokens": 11, "output_tokens": 0}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(whole["content"]):
        kind = block["type"]
        empty = {"thinking": {"thinking": "", "signature": ""}, "text": {"text": ""}, "tool_use": {"input": {}}}[kind]
        events.append({"type": "content_block_start", "index": index, "content_block": block | empty})
        if kind == "text":
            deltas = [{"type": "text_delta", "text": word} for word in words(block["text"])]
        elif kind == "tool_use":
            deltas = [
                {"type": "input_json_delta", "partial_json": word}
                for word in words(json.dumps(block["input"], ensure_ascii=False, separators=(", ", ":")))
            ]
        else:
            deltas = [{"type": "thinking_delta", "thinking": "hm"}, {"type": "signature_delta", "signature": "sig"}]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 7}})
    events.append({"type": "message_stop"})
    yield from (sse(event, named=True) for event in events)


DONE = {"done": True, "done_reason": "stop", "total_duration": 5, "prompt_eval_count": 11, "eval_count": 7}
TAGS = {"models": [{"name": "m-1:latest", "model": "m-1:latest", "size": 5, "digest": "ab"}]}


def ollama_line(**fields: Any) -> dict[str, Any]:
    return {"model": "m-1", "created_at": "2026-03-01T09:30:00.5Z", **fields}


def ollama_calls(answer: Answer) -> list[dict[str, Any]]:
    return [{"function": {"name": name, "arguments": json.loads(given)}} for _, name, given in answer.calls]


def ollama_body(answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text, "thinking": "hm"}
    return ollama_line(message=message | ({"tool_calls": ollama_calls(answer)} if answer.calls else {}), **DONE)


def ollama_stream(answer: Answer) -> Iterator[bytes]:
    """A line per word and per call, as Ollama sends them."""
    messages: list[dict[str, Any]] = [{"content": "", "thinking": "hm"}]
    messages += [{"content": word} for word in words(answer.text)]
    messages += [{"content": "", "tool_calls": [call]} for call in ollama_calls(answer)]
    lines = [ollama_line(message={"role": "assistant", **message}, done=False) for message in messages]
    lines.append(ollama_line(message={"role": "assistant", "content": ""}, **DONE))
    yield from (json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


def prompt_body(answer: Answer) -> dict[str, Any]:
    return ollama_line(response=answer.text, thinking="hm", context=[1, 2, 3], **DONE)


def prompt_stream(answer: Answer) -> Iterator[bytes]:
    lines = [ollama_line(response=word, done=False) for word in words(answer.text)]
    lines.append(ollama_line(response="", context=[1, 2, 3], **DONE))
    yield from (json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


LINES = ("/api/chat", "/api/generate")  # stream unless the request says otherwise
BODIES = {
    "chat/completions": chat_body, "responses": response_body, "messages": message_body,
    "/api/chat": ollama_body, "/api/generate": prompt_body,
}  # fmt: skip
STREAMS = {
    "chat/completions": chat_stream, "responses": response_stream, "messages": message_stream,
    "/api/chat": ollama_stream, "/api/generate": prompt_stream,
}  # fmt: skip

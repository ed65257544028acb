"""A model service on loopback that answers chat completions with synthetic text, whole or as a stream.

It answers after 20 ms. A model takes longer, so what a proxy does meanwhile delays no answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aforesaid.bench.synthetic_chat import ChatGenerator
from aforesaid.models.json import Json

WORDS_PER_EVENT = 4
ANSWER_SECONDS = 0.02  # until an answer begins
POLL_SECONDS = 0.05  # how often the server looks whether it is to stop


class UpstreamHandler(BaseHTTPRequestHandler):
    """Answers POST requests. Equal requests get different answers, as from a model."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # otherwise the second packet of an answer waits up to 40 ms
    wbufsize = -1  # buffered: an answer is one packet
    talk = ChatGenerator(seed=5)
    lock = threading.Lock()

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.lock:
            answer = f"{self.talk.message()} {self.talk.message()}"
        time.sleep(ANSWER_SECONDS)
        if asked.get("stream"):
            self._stream(answer)
        else:
            self._send(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: the output of the benchmark is its report."""

    def _send(self, answer: str) -> None:
        choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        payload = json.dumps(
            {"id": "r", "object": "chat.completion", "model": "scripted", "choices": [choice]}
        ).encode()
        self._begin("application/json", "Content-Length", str(len(payload)))
        self.wfile.write(payload)

    def _stream(self, answer: str) -> None:
        self._begin("text/event-stream", "Transfer-Encoding", "chunked")
        for event in stream_events(answer):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _begin(self, kind: str, name: str, value: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header(name, value)
        self.end_headers()


def stream_events(answer: str) -> Iterator[bytes]:
    """The server-sent events of a streamed chat completion."""
    words = answer.split(" ")
    pieces = [" ".join(words[at : at + WORDS_PER_EVENT]) + " " for at in range(0, len(words), WORDS_PER_EVENT)]
    deltas: list[tuple[dict[str, Json], str | None]] = [
        ({"role": "assistant", "content": ""}, None), *(({"content": piece}, None) for piece in pieces), ({}, "stop")
    ]  # fmt: skip
    for delta, finish in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event = {"id": "r", "object": "chat.completion.chunk", "model": "scripted", "choices": [choice]}
        yield b"data: " + json.dumps(event).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


@contextmanager
def scripted_upstream() -> Iterator[str]:
    """Yields the base URL of the service, as long as the context is open."""
    with ThreadingHTTPServer(("127.0.0.1", 0), UpstreamHandler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), name="scripted-upstream")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()

"""An upstream on the loopback interface that answers with what it received: method, path, headers and a hash."""

from __future__ import annotations

import hashlib
import json
import threading
from typing import Any

from tests.loopback import Handler, Service
from tests.proxy.upstream import Answer, chat_stream, response_stream

SOUND = bytes(range(256)) * 700  # binary, larger than one piece
OWN = ("host", "connection")  # of each connection
EVENTS = {"/v1/responses/r1": response_stream, "/v1/completions": chat_stream}


class EchoHandler(Handler):
    protocol_version = "HTTP/1.1"
    server: Any

    def answer(self) -> None:
        owner, path = self.server.owner, self.path.partition("?")[0]
        body = self.body()
        if body is None:
            owner.cut.set()
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() not in OWN}
        received = {"method": self.command, "path": self.path, "length": len(body)}
        boundary = self.headers.get_param("boundary")
        if boundary:  # it is another one for each request
            body = body.replace(str(boundary).encode(), b"boundary")
            headers["content-type"] = headers["content-type"].replace(str(boundary), "boundary")
        received["headers"] = dict(sorted(headers.items()))
        received["hash"] = hashlib.sha256(body).hexdigest()
        owner.received.append(received)
        if self.command == "HEAD":
            self.head(200, {"Content-Length": "1234", "Content-Type": "audio/mpeg", "X-Made-By": "echo"})
        elif self.command == "DELETE" and path.startswith("/v1/empty"):
            self.head(204, {"X-Made-By": "echo"})
        elif path.endswith(("/content", "/audio/speech")):
            self.sound()
        elif path in EVENTS and ("stream=true" in self.path or b'"stream": true' in body or b'"stream":true' in body):
            data = b"".join(EVENTS[path](Answer("Größe 🦊")))
            self.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
            self.chunks(data)
        elif path == "/v1/moved":
            self.reply(307, b"", headers={"Location": "https://elsewhere.example/x"})
        else:
            self.reply(200, json.dumps({"id": "x1", "object": "echo", "received": received}).encode())

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer  # noqa: N815 (as the base expects)

    def body(self) -> bytes | None:
        """Returns None if the connection closes before the end of the body."""
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            size = int(self.headers.get("Content-Length", 0))
            first = self.rfile.read(min(size, 1))
            self.begun(first)
            body = first + self.rfile.read(size - len(first))
            return body if len(body) == size else None
        parts: list[bytes] = []
        while line := self.rfile.readline():
            parts.append(self.rfile.read(int(line, 16)))
            self.begun(parts[0])
            self.rfile.readline()
            if not parts[-1]:
                return b"".join(parts)
        return None

    def begun(self, data: bytes) -> None:
        if data:
            self.server.owner.begun.set()

    def sound(self) -> None:
        begin, end = 0, len(SOUND)
        asked = self.headers.get("Range", "").removeprefix("bytes=")
        if asked:
            begin, end = (int(number) for number in asked.split("-"))
            end += 1
        where = {"Content-Range": f"bytes {begin}-{end - 1}/{len(SOUND)}"} if asked else {}
        self.head(206 if asked else 200, {"Content-Type": "audio/mpeg", "Transfer-Encoding": "chunked", **where})
        self.chunks(SOUND[begin:end])

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def chunks(self, data: bytes) -> None:
        for at in range(0, len(data), 5000):
            piece = data[at : at + 5000]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


class Echo(Service):
    """Answers every method and path. `begun` is set when the first byte of a body has arrived, `cut` when the
    connection closes before its end."""

    handler = EchoHandler

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.begun, self.cut = threading.Event(), threading.Event()
        super().__init__()

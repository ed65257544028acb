"""HTTP services on the loopback interface with configurable failures."""

from __future__ import annotations

import hashlib
import json
import math
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Service:
    """Listens on loopback. `behave(500, "cut", "answer")` sets the behaviors for the next requests; the last one stays.
    Every request is kept in `requests`."""

    handler: type[BaseHTTPRequestHandler]

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._behaviours: list[Any] = ["answer"]
        self._lock = threading.Lock()
        self._port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def behave(self, *behaviours: Any) -> None:
        with self._lock:
            self._behaviours = list(behaviours)

    def start(self) -> None:
        """Starts to listen; after a stop, on the same port as before."""
        self.stopping = threading.Event()
        self._server = Listener(("127.0.0.1", self._port), self)
        self._port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        """Refuses connections from now on. All server threads have ended when this returns."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.stopping.is_set():
            self.stop()

    def receive(self, request: Request) -> Any:
        """Records a request; returns the behavior for it."""
        with self._lock:
            self.requests.append(request)
            return self._behaviours.pop(0) if len(self._behaviours) > 1 else self._behaviours[0]


class Listener(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for the last response

    def __init__(self, address: tuple[str, int], owner: Service) -> None:
        super().__init__(address, owner.handler)
        self.owner = owner


class Handler(BaseHTTPRequestHandler):
    server: Listener

    def reply(
        self, status: int, payload: bytes, *, cut: bool = False, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload[: len(payload) // 2] if cut else payload)
        if cut:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing, to keep the test output clean."""


class Embeddings(Handler):
    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        behaviour = self.server.owner.receive(Request(self.path, dict(self.headers), body))
        if behaviour == "hang":
            self.server.owner.stopping.wait()
        elif isinstance(behaviour, int):
            self.reply(behaviour, b'{"error": {"message": "as told"}}')
        elif behaviour == "nonsense":
            self.reply(200, b"<html>it works</html>")
        elif behaviour == "strange":
            self.reply(200, b'["data"]')
        else:
            payload = json.dumps({"data": self.data(body["input"], behaviour)}).encode()
            self.reply(200, payload, cut=behaviour == "cut")

    def data(self, texts: Sequence[str], behaviour: str) -> list[dict[str, Any]]:
        vectors: list[list[Any]] = [self.server.owner.vector(text) for text in texts]
        if behaviour == "empty":
            vectors = [[] for _ in texts]
        elif behaviour == "ragged":
            vectors[-1].pop()
        elif behaviour in SPOILERS:
            vectors[-1][0] = SPOILERS[behaviour]
        items = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
        if behaviour == "shuffled":
            items.reverse()
        return items[1:] if behaviour == "short" else items


class EmbeddingServer(Service):
    """Responds to POST /v1/embeddings with bags of hashed words, so that texts with common words are similar.

    Behaviors: a number is a status; the names are: answer, shuffled, cut (halfway through the body), hang (until the
    server stops), nonsense (not JSON), strange (JSON of another shape), short (a missing vector), ragged (one vector
    shorter than the rest), empty (vectors without numbers), text (a word instead of a number), nan and huge.
    """

    handler = Embeddings

    def __init__(self, dimension: int = 32) -> None:
        self.dimension = dimension
        super().__init__()

    @property
    def texts(self) -> list[str]:
        """Returns every requested text, in order."""
        return [text for request in self.requests for text in request.body["input"]]

    def vector(self, text: str) -> list[float]:
        """Returns the vector that this server has for a text, of length one unless the text is blank."""
        counts = [0.0] * self.dimension
        for word in text.lower().split():
            counts[hashlib.blake2b(word.encode()).digest()[0] % self.dimension] += 1.0
        length = math.sqrt(sum(count * count for count in counts)) or 1.0
        return [count / length for count in counts]


SPOILERS = {"nan": math.nan, "huge": 1e300, "text": "a word"}

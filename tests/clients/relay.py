"""A relay on the loopback interface between a client and the proxy. It keeps what the client sends.

Each request gets a number, and the header that carries it passes through the proxy to the scripted model. So the
request that arrives there can be compared with the one that the client sent.
"""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.loopback import Handler, Service

NUMBER = "x-clients-number"
HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "content-length", "host")
PATIENCE = 120.0  # seconds for one response


@dataclass(frozen=True)
class Relayed:
    """A request of the client, and the status, the memory header and the seconds of the response."""

    number: int
    method: str
    path: str
    raw: bytes
    status: int
    memory: str
    seconds: float


class Forwarding(Handler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Any

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client left
            super().handle()

    def forward(self) -> None:
        began = time.perf_counter()
        owner: Relay = self.server.owner
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        number = next(owner.numbers)
        target = urlsplit(owner.to)
        onward = http.client.HTTPConnection(target.hostname or "", target.port, timeout=PATIENCE)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
            onward.request(self.command, self.path, raw or None, headers | {NUMBER: str(number)})
            response = onward.getresponse()
            self.pass_back(response)
        finally:
            onward.close()
        memory = response.getheader("x-aforesaid-memory", "")
        seconds = time.perf_counter() - began
        owner.keep(Relayed(number, self.command, self.path, raw, response.status, memory, seconds))

    def pass_back(self, response: http.client.HTTPResponse) -> None:
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if self.command == "HEAD" or response.status in (204, 304):
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while piece := response.read1(1 << 16):
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = do_HEAD = do_DELETE = do_PUT = forward  # noqa: N815 (the names that the base class expects)


class Relay(Service):
    """Passes every request on to the server at `to`."""

    handler = Forwarding

    def __init__(self, to: str) -> None:
        self.to = to
        self.numbers = itertools.count(1)
        self.relayed: list[Relayed] = []
        self._keeping = threading.Lock()
        super().__init__()

    def keep(self, one: Relayed) -> None:
        with self._keeping:
            self.relayed.append(one)

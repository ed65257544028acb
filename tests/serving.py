"""An HTTP server on the loopback interface, in a thread of the test process or in its own process."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
from fastapi import FastAPI

from aforesaid.server.connections import ConnectionLimits
from aforesaid.server.serve import HttpServer, listen, uvicorn_config


class Quiet(HttpServer):
    """A server that reports when it accepts connections, and installs no signal handlers."""

    def __init__(self, app: FastAPI, patience: int, limits: ConnectionLimits | None) -> None:
        super().__init__(uvicorn_config(app, patience, limits))
        self.ready = threading.Event()

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextmanager
def serving(
    app: FastAPI, patience: int = 10, limits: ConnectionLimits | None = None, bound: socket.socket | None = None
) -> Iterator[str]:
    """Yields the address of a running server; at the end, open requests have `patience` seconds to finish. `bound` is
    for an application that must know its port."""
    bound = bound or listen("127.0.0.1", 0)
    server = Quiet(app, patience, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    assert server.ready.wait(30)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


@contextmanager
def client(app: FastAPI, **rest) -> Iterator[httpx2.Client]:
    """Yields a client of a new server."""
    with serving(app) as url, httpx2.Client(base_url=url, timeout=30, **rest) as made:
        yield made


class Served:
    """`aforesaid serve`, or another command that starts a server, in its own process, on a free port."""

    def __init__(self, store: str, *options: str, command: str = "serve", **environment: str) -> None:
        line = [sys.executable, "-m", "aforesaid", command, "--store", store, "--port", "0", *options]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID", "OTEL"))}
        self.process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=clean | environment)
        self.lines: list[str] = []
        self.url = self._address()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def stop(self, number: int) -> int:
        """Sends a signal; returns the exit code when the process has ended."""
        self.process.send_signal(number)
        code = self.process.wait(60)
        self.reader.join()
        return code

    @property
    def said(self) -> str:
        return "".join(self.lines)

    def _address(self) -> str:
        for line in self.process.stderr or ():
            self.lines.append(line)
            found = re.search(r"http://\S+?(?=;)", line)
            if found:
                return found[0]
        raise AssertionError(f"it did not start: {self.said}")

    def _read(self) -> None:
        self.lines.extend(self.process.stderr or ())


@contextmanager
def served(store: str, *options: str, command: str = "serve", **environment: str) -> Iterator[Served]:
    """Starts a server process, and kills it at the end if it is still running."""
    made = Served(store, *options, command=command, **environment)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        made.reader.join()
        assert made.process.stderr
        made.process.stderr.close()

"""Listens until it is told to stop; then finishes what runs."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import uvicorn
from fastapi import FastAPI

from recollect.errors import InvalidInput
from recollect.memory import Memory
from recollect.server.streams import Peer, Streams

STOPPING = (signal.SIGINT, signal.SIGTERM)
GRACE = 1  # seconds that streams are given
PATIENCE = 25  # seconds that requests under way are given to end: whoever stops a server often waits for 30
LAST_WORDS = 1.0  # seconds for those that are cut off then to say so


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_open(memory: Memory, *names: str) -> None:
    """Beyond this machine nobody is let in without a key: neither at another address nor by another name, which is a
    proxy's."""
    elsewhere = [name for name in names if not is_loopback(name)]
    made = memory.keys()
    if elsewhere and all(key.revoked_at for key in made):
        raise InvalidInput(
            f"{elsewhere[0]} can be reached from other machines, and the store has no key; make one first: "
            "recollect keys create NAME"
        )


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A socket that is bound, so that its port is known; InvalidInput where it cannot be. `shared`: others may be bound
    to the same port."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)  # named, so that asyncio sends without waiting (no Nagle)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError as exc:
        raise InvalidInput(f"cannot listen on {host}:{port}: {exc.strerror or exc}; name another --port") from exc
    return bound


def serve(app: FastAPI, bound: socket.socket, ready: Callable[[str], object]) -> None:
    """Answers until SIGINT or SIGTERM. `ready` is told the address once connections are taken."""
    server = Listener(configured(app))
    bound.listen(socket.SOMAXCONN)
    ready(url(bound))
    server.run(sockets=[bound])


def url(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Listener(uvicorn.Server):
    """Leaves a signal at that it ends the listening: the store is closed after it, and the process ends by itself."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Streams have no end of their own: they are ended before requests are waited for."""
        if isinstance(self.config.app, FastAPI) and "streams" in self.config.app.state:
            streams: Streams = self.config.app.state.streams
            asyncio.get_running_loop().call_later(GRACE, self._cut_off, streams.close())
        await super().shutdown(sockets)
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=LAST_WORDS)

    def _cut_off(self, peers: Collection[Peer | None]) -> None:
        for connection in list(self.server_state.connections):
            transport = connection.transport
            if transport is not None and transport.get_extra_info("peername", ())[:2] in peers:
                transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in STOPPING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def configured(app: FastAPI, patience: int = PATIENCE) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=patience,
        ws="none",
        lifespan="on",
    )

"""Runs an application on a socket until SIGINT or SIGTERM, then lets running requests finish."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import uvicorn
from fastapi import FastAPI

from aforesaid.errors import InvalidInput
from aforesaid.memory import Memory
from aforesaid.server.connections import AcceptErrors, ConnectionLimits, ServerConfig
from aforesaid.server.sse import ChangeStreams, Peer

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
STREAM_SECONDS = 1  # for event streams to end
GRACEFUL_SECONDS = 25  # for running requests to end; service managers often kill a process after 30
SWITCH_SECONDS = 0.0005  # after which a busy thread lets another one run; Python's 5 ms delay each step of a request
CANCEL_SECONDS = 1.0  # for cancelled requests to send their response


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def require_key(memory: Memory, *names: str) -> None:
    """Raises InvalidInput if the server has an address or host name outside this machine and the store has no key."""
    remote = [name for name in names if not is_loopback(name)]
    keys = memory.keys()
    if remote and all(key.revoked_at for key in keys):
        raise InvalidInput(
            f"{remote[0]} can be reached from other machines, and the store has no key; create one first: "
            "aforesaid keys create NAME"
        )


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Returns a bound socket, so that its port is known. Raises InvalidInput if the address is not available.
    `shared`: other sockets may be bound to the same port."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)  # with the protocol set, asyncio disables Nagle's algorithm
        if sys.platform != "win32":  # there, it would share the port with any other program
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError as exc:
        raise InvalidInput(f"cannot listen on {host}:{port}: {exc.strerror or exc}; choose another --port") from exc
    return bound


def serve(
    app: FastAPI, bound: socket.socket, ready: Callable[[str], object], limits: ConnectionLimits | None = None
) -> None:
    """Serves until SIGINT or SIGTERM. Calls `ready` with the URL when the socket accepts connections."""
    sys.setswitchinterval(SWITCH_SECONDS)
    server = HttpServer(uvicorn_config(app, limits=limits))
    bound.listen(socket.SOMAXCONN)
    ready(url(bound))
    server.run(sockets=[bound])


def url(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class HttpServer(uvicorn.Server):
    """Ends event streams before it waits for requests. Does not raise the stop signal again after shutdown, so that
    the process closes the store and exits by itself."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(AcceptErrors())
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(socket.SOMAXCONN)  # uvicorn sets the length of the queue to the number accepted at once

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if isinstance(self.config.app, FastAPI):
            streams: ChangeStreams = self.config.app.state.streams
            asyncio.get_running_loop().call_later(STREAM_SECONDS, self._abort, streams.close())
        await super().shutdown(sockets)
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=CANCEL_SECONDS)

    def _abort(self, peers: Collection[Peer | None]) -> None:
        """Closes the connections of streams whose clients do not read."""
        for connection in list(self.server_state.connections):
            transport = connection.transport
            if transport is not None and transport.get_extra_info("peername", ())[:2] in peers:
                transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def uvicorn_config(
    app: FastAPI, patience: int = GRACEFUL_SECONDS, limits: ConnectionLimits | None = None
) -> uvicorn.Config:
    return ServerConfig(app, limits or ConnectionLimits(), patience)

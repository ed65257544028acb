"""A TCP proxy in front of a server that delays responses, cuts connections, or makes them unresponsive."""

from __future__ import annotations

import ctypes
import re
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Literal

from tests.postgres_server import free_port

Moment = Literal["asking", "committing", "committed"]
PIECE = 1 << 16
SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27
INSERT, APPEND, COMMIT = b"INSERT INTO messages", b"SELECT append_all", b"COMMIT\0"
PREPARED = re.compile(  # later messages refer to the statement by this name
    rb"P....(_pg3_\d+\0)(INSERT INTO messages|SELECT append_all|COMMIT\0)", re.DOTALL
)


class Proxy:
    """`cut_at` is the moment of the next cuts, `cuts` the number of remaining cuts.

    asking      inside a transaction: the statement that adds a message does not reach the server
    committing  COMMIT, or a single-statement transaction, does not reach the server
    committed   the server has committed, and its response does not reach the client

    A cut closes a connection. With `silent`, the connection stays open but becomes unresponsive on both sides, as after
    a power failure: no packet is acknowledged, no data arrives, and neither side gets an error.
    """

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self.delay = 0.0
        self.cut_at: Moment | None = None
        self.cuts = 0
        self.silent = False
        self._target = target
        self._closed = False
        self._lock = threading.Lock()
        self._links: list[Link] = []
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, direct: str) -> str:
        """Returns the address of a database through the proxy."""
        return direct.replace(f":{self._target}/", f":{self.port}/")

    def cut(self, moment: Moment, times: int = 1, *, silent: bool = False) -> None:
        self.cut_at, self.cuts, self.silent = moment, times, silent

    def cut_all(self) -> None:
        for link in list(self._links):
            link.close()

    def vanish(self) -> None:
        """Simulates a machine failure: all connections become unresponsive, and new connections get no response."""
        deafen(self._listener)
        for link in list(self._links):
            link.fall_silent()

    def come_back(self) -> None:
        """Simulates a restarted machine: it accepts new connections and has no state of the old ones."""
        self._listener.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._listener.shutdown(socket.SHUT_RDWR)  # stops accepting connections
        self._listener.close()
        self.cut_all()

    def takes(self, moment: Moment) -> bool:
        """Returns true if a cut is due at this moment. Each cut is used once."""
        with self._lock:
            if self.cut_at != moment or self.cuts == 0:
                return False
            self.cuts -= 1
            return True

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._links.append(Link(self, client, socket.create_connection(("127.0.0.1", self._target))))


class Link:
    """A proxied connection between a client and the server."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._prepared: list[tuple[bytes, bytes]] = []
        self._silent = False
        self._swallow: bytes | None = None  # the tag of the response to drop
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._forth, daemon=True).start()
        threading.Thread(target=self._back, daemon=True).start()

    def close(self) -> None:
        for one in (self._client, self._server):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def fall_silent(self) -> None:
        self._silent = True
        for one in (self._client, self._server):
            with suppress(OSError):  # already closed
                deafen(one)

    def _forth(self) -> None:
        with suppress(OSError):
            while (piece := self._client.recv(PIECE)) and not self._silent:
                appends, commits = self._asks(piece, APPEND), self._asks(piece, COMMIT)
                if (appends or self._asks(piece, INSERT)) and self._proxy.takes("asking"):
                    break
                if appends or commits:
                    if self._proxy.takes("committing"):
                        break
                    if self._proxy.takes("committed"):
                        self._swallow = b"SELECT " if appends else COMMIT
                self._server.sendall(piece)
        self._end()

    def _back(self) -> None:
        with suppress(OSError):
            while (piece := self._server.recv(PIECE)) and not self._silent:
                if self._swallow and self._swallow in piece:
                    break
                if self._proxy.delay:
                    time.sleep(self._proxy.delay)
                self._client.sendall(piece)
        self._end()

    def _end(self) -> None:
        """Closes the connection or makes it unresponsive, as set in the proxy."""
        if self._proxy.silent:
            self.fall_silent()
        elif not self._silent:
            self.close()

    def _asks(self, piece: bytes, statement: bytes) -> bool:
        self._prepared += PREPARED.findall(piece)
        return statement in piece or any(name in piece for name, text in self._prepared if text == statement)


def deafen(one: socket.socket) -> None:
    """Makes the kernel drop all incoming packets of this socket without acknowledging them."""
    drop = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # a filter of one instruction: keep 0 bytes
    one.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(drop)))

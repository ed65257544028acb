"""A real TCP proxy before a server: it delays answers, cuts connections, or lets them fall silent."""

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
PREPARED = re.compile(  # named from then on
    rb"P....(_pg3_\d+\0)(INSERT INTO messages|SELECT append_all|COMMIT\0)", re.DOTALL
)


class Proxy:
    """`cut_at` names the moment of the next cuts, `cuts` says how many are still to come.

    asking      in the middle of a transaction: what adds a message does not reach the server
    committing  COMMIT, or the statement that is a transaction of its own, does not reach the server
    committed   the server has committed, and its answer does not come back

    A cut ends a connection; with `silent` it only falls silent, on both sides, as if a machine had gone: nothing is
    acknowledged any more, nothing comes, and nobody is told.
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
        """The address of a database, by way of the proxy."""
        return direct.replace(f":{self._target}/", f":{self.port}/")

    def cut(self, moment: Moment, times: int = 1, *, silent: bool = False) -> None:
        self.cut_at, self.cuts, self.silent = moment, times, silent

    def cut_all(self) -> None:
        for link in list(self._links):
            link.close()

    def vanish(self) -> None:
        """The machine is gone: all its connections fall silent, and it answers nobody who wants a new one."""
        deafen(self._listener)
        for link in list(self._links):
            link.fall_silent()

    def come_back(self) -> None:
        """As a machine that has been started anew: it takes new connections, and knows nothing of the old ones."""
        self._listener.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._listener.shutdown(socket.SHUT_RDWR)  # so that nobody is accepted any more
        self._listener.close()
        self.cut_all()

    def takes(self, moment: Moment) -> bool:
        """Whether this is the moment. Each cut is taken once."""
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
    """One connection."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._prepared: list[tuple[bytes, bytes]] = []
        self._silent = False
        self._swallow: bytes | None = None  # how the answer that does not come back is called
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
            with suppress(OSError):  # it has ended already
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
        """As the proxy was told; a connection that has fallen silent stays as it is."""
        if self._proxy.silent:
            self.fall_silent()
        elif not self._silent:
            self.close()

    def _asks(self, piece: bytes, statement: bytes) -> bool:
        self._prepared += PREPARED.findall(piece)
        return statement in piece or any(name in piece for name, text in self._prepared if text == statement)


def deafen(one: socket.socket) -> None:
    """From now on the kernel drops all that comes in for this socket, before it is acknowledged."""
    drop = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # a filter of one instruction: keep 0 bytes
    one.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(drop)))

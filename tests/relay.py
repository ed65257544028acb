"""A TCP relay on loopback between a client and a server, that can be slow, cut, or swallow what the server says."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

Seen = Callable[[bytes], bool]  # whether to cut here


class Relay:
    """`delay` seconds pass before anything is handed on. `cut_after` sees what the client sends: where it says so, that
    is still handed on, and then both sides are cut before the server can answer."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.delay = 0.0
        self.cut_after: Seen | None = None
        self.cuts = 0
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection at once."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            _close(pair)

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    server = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    client.close()
                    continue
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                pair = client, server
                self._pairs.append(pair)
                threading.Thread(target=self._ask, args=pair, daemon=True).start()
                threading.Thread(target=self._answer, args=pair, daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                time.sleep(self.delay)
                seen = self.cut_after
                if seen is not None and seen(data):
                    self.cut_after = None
                    self.cuts += 1
                    client.shutdown(socket.SHUT_RDWR)  # the answer will find nobody
                    server.sendall(data)
                    time.sleep(0.2)  # the server does what it was told
                    break
                server.sendall(data)
        _close((client, server))

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                time.sleep(self.delay)
                client.sendall(data)
        _close((client, server))


def _close(pair: tuple[socket.socket, socket.socket]) -> None:
    for one in pair:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()

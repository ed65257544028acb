"""A TCP proxy in front of a PostgreSQL server that counts round trips and statements."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass

from tests.postgres_server import free_port

PIECE = 1 << 16
EXECUTE, SYNC, QUERY = b"E", b"S", b"Q"  # client messages, by their first byte


@dataclass(frozen=True)
class Count:
    """The number of round trips and of statements."""

    journeys: int
    statements: int

    def __sub__(self, other: Count) -> Count:
        return Count(self.journeys - other.journeys, self.statements - other.statements)


class Counting:
    """Counts the round trips and statements so far. A client sends one Sync for each response that it waits for."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._lock = threading.Lock()
        self._journeys = self._statements = 0
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def count(self) -> Count:
        with self._lock:
            return Count(self._journeys, self._statements)

    def address(self, direct: str) -> str:
        """Returns the address of a database through the proxy."""
        return direct.replace(f":{self._target}/", f":{self.port}/")

    def close(self) -> None:
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._forth, args=(client, server), daemon=True).start()
                threading.Thread(target=_back, args=(server, client), daemon=True).start()

    def _forth(self, client: socket.socket, server: socket.socket) -> None:
        """Counts a message before forwarding it, so that every answered message is counted."""
        rest, begun = b"", False
        with suppress(OSError):
            while piece := client.recv(PIECE):
                rest += piece
                if not begun and len(rest) >= 4 and len(rest) >= int.from_bytes(rest[:4], "big"):
                    begun = rest[4:8] != (80877103).to_bytes(4, "big")  # an SSLRequest comes first
                    rest = rest[int.from_bytes(rest[:4], "big") :]
                while begun and len(rest) >= 5 and len(rest) > (length := int.from_bytes(rest[1:5], "big")):
                    self._note(rest[:1])
                    rest = rest[1 + length :]
                server.sendall(piece)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _note(self, kind: bytes) -> None:
        with self._lock:
            self._journeys += kind in (SYNC, QUERY)
            self._statements += kind in (EXECUTE, QUERY)


def _back(server: socket.socket, client: socket.socket) -> None:
    with suppress(OSError):
        while piece := server.recv(PIECE):
            client.sendall(piece)
    with suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)

"""Tests the HTTP server under load, after kills and stops, and with misbehaving clients."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest
from tests.serving import served

from aforesaid import Memory

CLIENTS = 50
MESSAGES = 600  # in total; every client adds to both its conversations and requests a context
SHARED = "shared"
PATIENCE = 120.0  # seconds; only a hung server takes that long


@dataclass
class Client:
    """Adds numbered messages to a shared conversation and to its own conversation."""

    url: str
    number: int
    acknowledged: list[tuple[str, str, int]] = field(default_factory=list)  # conversation, id, seq
    answers: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)  # responses with status 500 or higher

    def run(self, until: Callable[[], bool]) -> None:
        """Adds until `until` returns true or the connection fails."""
        connection, sent = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE), 0
        own = f"own{self.number}"
        with suppress(OSError, HTTPException):
            while not until():
                for conversation in (own, SHARED):
                    self._add(connection, conversation, f"{conversation}-{self.number}-{sent}")
                sent += 1
                if sent % 5 == 0:
                    self._context(connection, own)
        connection.close()

    def _add(self, connection: HTTPConnection, conversation: str, id: str) -> None:
        message = {"role": "user", "content": f"message {id} about Lisbon", "id": id}
        status, body = self._post(connection, f"conversations/{conversation}/messages", message)
        if status == 201:
            self.acknowledged.append((conversation, id, body["items"][0]["seq"]))

    def _context(self, connection: HTTPConnection, conversation: str) -> None:
        status, body = self._post(connection, f"conversations/{conversation}/context", {"query": "Lisbon?"})
        assert status != 200 or body["tokens"] > 0

    def _post(self, connection: HTTPConnection, path: str, body: object) -> tuple[int, dict]:
        connection.request("POST", f"/api/memory/{path}", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        read = json.loads(answer.read())
        self.answers.append(answer.status)
        if answer.status >= 500:
            self.failures.append(f"{path}: {answer.status} {read}")
        return answer.status, read


def acknowledged(clients: Iterable[Client]) -> int:
    return sum(len(client.acknowledged) for client in clients)


@contextmanager
def loading(url: str, numbers: Iterable[int], messages: int) -> Iterator[list[Client]]:
    """Yields running clients when the server has acknowledged that many messages; stops them at the end."""
    clients = [Client(url, number) for number in numbers]
    over = threading.Event()
    with ThreadPoolExecutor(len(clients)) as pool:
        runs = [pool.submit(client.run, over.is_set) for client in clients]
        try:
            deadline = time.monotonic() + PATIENCE
            while acknowledged(clients) < messages:
                assert time.monotonic() < deadline, f"{acknowledged(clients)} of {messages} messages are acknowledged"
                time.sleep(0.01)
            yield clients
        finally:
            over.set()
        for run in runs:
            run.result()


def add_once(url: str, number: int) -> Client:
    """Creates a client that adds one message to each of its two conversations."""
    client = Client(url, number)
    rounds = iter((False, True))
    client.run(lambda: next(rounds))
    assert len(client.acknowledged) == 2, client
    return client


def prove(path: str, clients: list[Client]) -> None:
    """Asserts that each acknowledged message is stored once, with the seq of its response, in the client's order."""
    with Memory(path, worker=False, environment={}) as memory:
        space = memory.space("default")
        stored = {
            info.id: [(m.id, m.seq) for m in space.conversation(info.id).messages(1_000_000)]
            for info in space.conversations(1000)
        }
    for messages in stored.values():
        assert [seq for _, seq in messages] == list(range(len(messages)))
        assert len({id for id, _ in messages}) == len(messages)
    places = {name: dict(messages) for name, messages in stored.items()}
    for client in clients:
        assert all(places[name][id] == seq for name, id, seq in client.acknowledged)
        for name in (SHARED, f"own{client.number}"):
            seqs = [seq for conversation, _, seq in client.acknowledged if conversation == name]
            assert seqs == sorted(seqs)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return str(tmp_path_factory.mktemp("served") / "m.db")


@pytest.fixture(scope="module")
def url(store):
    """Returns the address of one server, shared by the tests that do not stop it."""
    with served(store) as server:
        yield server.url


@pytest.mark.slow
@pytest.mark.req("X17")
def test_fifty_concurrent_clients_lose_no_message_and_keep_their_order(url, store):
    with loading(url, range(CLIENTS), MESSAGES) as clients:
        pass
    assert {status for client in clients for status in client.answers} == {200, 201}
    assert all(client.acknowledged for client in clients)
    prove(store, clients)


@pytest.mark.slow
def test_a_killed_or_stopped_server_loses_nothing_and_restarts(path):
    """Kills two servers and stops a third. All servers use the same store, one after another."""
    clients: list[Client] = []
    for first, messages in ((0, 40), (20, 70)):
        with served(path) as server:
            clients.append(add_once(server.url, first))
            with loading(server.url, range(first + 1, first + 9), messages) as load:
                server.stop(signal.SIGKILL)
            clients += load
        prove(path, clients)
    with served(path) as server:
        clients.append(add_once(server.url, 40))
        with loading(server.url, range(41, 49), 60) as load:
            assert server.stop(signal.SIGTERM) == 0
        assert server.lines[-1] == "stopped\n"
        assert {status for client in load for status in client.answers} <= {200, 201}  # running requests get a response
        port = urlsplit(server.url).port
        with served(path, "--port", str(port)) as again:
            clients += [*load, add_once(again.url, 60)]
    prove(path, clients)


def talk(url: str, sent: bytes, *, close: bool = False) -> bytes:
    """Sends raw bytes, and ends the stream if `close` is true; returns the bytes received until the server closes."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as connection:
        connection.sendall(sent)
        if close:
            connection.shutdown(socket.SHUT_WR)
        got = b""
        with suppress(OSError):
            while piece := connection.recv(65536):
                got += piece
        return got


def post(path: str, body: bytes, *, kind: str = "application/json", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = f"POST /api/memory/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body


PLACE = "conversations/c/messages"
GOOD = b'{"role": "user", "content": "hello"}'
BROKEN = {
    "half a body": post(PLACE, GOOD, length=len(GOOD) * 2),
    "no body": post(PLACE, b""),
    "wrong kind": post(PLACE, GOOD, kind="text/plain"),
    "not JSON": post(PLACE, b"{"),
    "not UTF-8": post(PLACE, b'{"role": "user", "content": "\xff\xfe"}'),
    "a lone surrogate": post(PLACE, b'{"role": "user", "content": "\\ud800"}'),
    "a NUL": post(PLACE, b'{"role": "user", "content": "a\\u0000b"}'),
    "a list": post(PLACE, b"[1, 2]"),
    "deep": post(PLACE, b'{"role": "user", "metadata": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001),
    "a number that no JSON has": post(PLACE, b'{"role": "user", "content": "x", "importance": NaN}'),
    "a huge number": post(PLACE, b'{"role": "user", "content": "x", "metadata": {"n": ' + b"9" * 100_000 + b"}}"),
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00",
    "an endless header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1_000_000,
    "a negative length": post(PLACE, GOOD, length=-5),
    "a name in UTF-16": post("conversations/%FE%FF/messages", GOOD),
    "an encoded NUL": post("conversations/a%00b/messages", GOOD),
}


@pytest.mark.req("X17")
@pytest.mark.parametrize("name", BROKEN)
def test_a_malformed_request_is_refused_and_affects_no_other_client(url, name):
    answer = talk(url, BROKEN[name], close=name == "half a body")
    status = int(answer.split()[1]) if answer else 400
    assert 400 <= status < 500, answer[:500]
    if answer and b"problem+json" in answer:
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["status"] == status
    assert talk(url, post(PLACE, GOOD)).startswith(b"HTTP/1.1 201")


@pytest.mark.req("X17")
def test_a_body_of_100_megabytes_is_refused_before_it_is_read(url):
    answer = talk(url, post(PLACE, b"x" * 1000, length=100 * 2**20))
    assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.req("X17")
def test_a_chunked_body_beyond_the_limit_is_refused(url):
    head = (
        b"POST /api/memory/conversations/c/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    )
    piece = b"100000\r\n" + b"x" * 2**20 + b"\r\n"
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as connection:
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        with suppress(OSError):
            for _ in range(100):
                connection.sendall(piece)
        with suppress(OSError):
            assert connection.recv(100).startswith(b"HTTP/1.1 413")
    assert talk(url, post(PLACE, GOOD)).startswith(b"HTTP/1.1 201")


@pytest.mark.req("X17")
def test_a_hundred_idle_clients_do_not_block_other_clients(url):
    parts = urlsplit(url)
    idle = [socket.create_connection((parts.hostname, parts.port), timeout=30) for _ in range(100)]
    try:
        for connection in idle:
            connection.sendall(b"POST /api/memory/conversations/c/messages HTTP/1.1\r\nHost: loc")
        assert talk(url, post(PLACE, GOOD)).startswith(b"HTTP/1.1 201")
    finally:
        for connection in idle:
            connection.close()

"""Tests the limits of connections: clients that send or read slowly, many connections, and ambiguous requests."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from fastapi.responses import StreamingResponse
from tests.serving import serving

from aforesaid import Memory
from aforesaid.access.limits import client_group
from aforesaid.cli.serve import BODY_SECONDS, CONNECTIONS, HEADER_SECONDS
from aforesaid.server.app import make_app
from aforesaid.server.connections import ConnectionLimits

pytestmark = pytest.mark.req("X17")

PATIENCE = 30.0  # seconds; only a server that waits for its clients takes that long
QUICK = ConnectionLimits(header_seconds=0.3, body_seconds=0.3)
FEW = ConnectionLimits(connections=20)  # ten from one address
HALF = b"GET /api/health HTTP/1.1\r\nHost: loc"
WHOLE = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
EVENTS = b"GET /api/memory/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/memory/conversations/c/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
MESSAGE = b'{"role": "user", "content": "hello"}'


@contextmanager
def connected(url: str, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    parts = urlsplit(url)
    address = (parts.hostname, parts.port)
    with socket.create_connection(address, timeout=PATIENCE, source_address=(source, 0)) as connection:
        yield connection


def read_all(connection: socket.socket) -> bytes:
    """Returns what the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            received += piece
    return received


def status(received: bytes) -> int:
    return int(received.split(b" ", 2)[1])


@pytest.fixture
def start(store: Memory) -> Iterator[Callable[[ConnectionLimits], str]]:
    """Starts a server with the given limits and returns its address."""
    with ExitStack() as stack:
        yield lambda limits: stack.enter_context(serving(make_app(store), patience=1, limits=limits))


@pytest.mark.parametrize("sent", [b"", HALF, b"GET / HTTP/1.1\r\nX: " + b"a" * 5000], ids=repr)
def test_a_client_that_does_not_finish_its_headers_is_disconnected(start, sent):
    with connected(start(QUICK)) as connection:
        connection.sendall(sent)
        received = read_all(connection)
    assert status(received) == 408
    assert json.loads(received.partition(b"\r\n\r\n")[2])["code"] == "too_slow"
    assert b"cross-origin-resource-policy: same-origin" in received.lower()


def test_the_second_request_of_a_connection_has_a_deadline_too(start):
    with connected(start(QUICK)) as connection:
        connection.sendall(WHOLE)
        assert status(connection.recv(65536)) == 200
        connection.sendall(HALF)
        assert status(read_all(connection)) == 408


def test_two_requests_at_once_are_both_answered(start):
    with connected(start(QUICK)) as connection:
        connection.sendall(WHOLE + WHOLE + HALF)
        assert read_all(connection).count(b"HTTP/1.1 ") == 3  # 200, 200 and 408


@pytest.mark.parametrize("framing", [b"Content-Length: 1000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n"])
def test_a_body_that_drips_is_refused(start, store, framing):
    with connected(start(QUICK)) as connection:
        connection.sendall(POST + framing)
        with suppress(OSError):
            connection.settimeout(0.02)
            received = b""
            while not received:
                connection.sendall(b" ")
                with suppress(TimeoutError):
                    received = connection.recv(65536)
        assert status(received) == 408
    assert store.spaces() == []


def test_a_body_that_makes_progress_is_not_cut_off(start, store):
    """The upload takes several times as long as the deadline for a body without progress."""
    body = b'{"role": "user", "content": "' + b"x" * 30_000 + b'"}'
    pieces = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    with connected(start(QUICK)) as connection:
        connection.sendall(POST + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
        for piece in pieces:
            connection.sendall(piece)
            threading.Event().wait(0.05)  # 20,000 bytes per second
        assert status(read_all(connection)) == 201


def test_a_connection_whose_body_never_ends_is_closed_after_the_response(start):
    with connected(start(QUICK)) as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        connection.sendall(b"Content-Length: 1000\r\n\r\nabc")
        assert read_all(connection).count(b"HTTP/1.1 ") == 1


def test_a_client_that_waits_for_100_continue_is_answered(start):
    with connected(start(QUICK)) as connection:
        connection.sendall(POST + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(MESSAGE))
        assert status(connection.recv(65536)) == 100
        connection.sendall(MESSAGE)
        assert status(connection.recv(65536)) == 201


@pytest.mark.parametrize("pieces", [1, 1000], ids=["at once", "streamed"])
def test_a_client_that_does_not_read_is_disconnected(store, pieces):
    app, ended = make_app(store), threading.Event()

    @app.get("/api/large")
    async def large() -> StreamingResponse:
        async def content() -> AsyncIterator[bytes]:
            try:
                for _ in range(pieces):
                    yield b"x" * (64_000_000 // pieces)
                await anyio.sleep_forever()  # the server ends it when it closes the connection
            finally:
                ended.set()

        return StreamingResponse(content())

    with serving(app, patience=1, limits=QUICK) as url, connected(url) as connection:
        connection.sendall(WHOLE.replace(b"health", b"large"))
        assert ended.wait(PATIENCE)


def test_silent_connections_above_the_limit_make_room_for_others(start):
    url = start(FEW)
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(url)) for _ in range(60)]
        for connection in silent:
            with suppress(OSError):
                connection.sendall(HALF)
        assert httpx2.get(f"{url}/api/health", timeout=PATIENCE).status_code == 200
        assert read_all(silent[0]) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all addresses of 127.0.0.0/8")
def test_one_address_gets_half_of_the_connections_and_those_in_use_stay(start):
    url = start(FEW)
    with ExitStack() as stack:
        streams = [stack.enter_context(connected(url)) for _ in range(10)]
        for stream in streams:
            stream.sendall(EVENTS)
            assert status(stream.recv(65536)) == 200
        with connected(url) as eleventh:
            received = read_all(eleventh)
            assert status(received) == 503
            assert json.loads(received.partition(b"\r\n\r\n")[2])["code"] == "too_many_connections"
        with connected(url, "127.0.0.2") as other:
            other.sendall(WHOLE)
            assert status(other.recv(65536)) == 200
        streams[0].close()
        for _ in range(1000):  # the server notices that the client left
            with connected(url) as again, suppress(ConnectionResetError, BrokenPipeError):
                again.sendall(WHOLE)
                if (answer := again.recv(65536)) and status(answer) == 200:
                    return
    pytest.fail("the place of the closed stream stays taken")


def test_the_limits_of_the_command_line_are_the_defaults():
    assert ConnectionLimits(CONNECTIONS, HEADER_SECONDS, BODY_SECONDS) == ConnectionLimits()


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("local", "local"),
    ],
)
def test_the_addresses_of_one_ipv6_client_count_together(address, group):
    assert client_group(address) == group


CHUNKED = b"Transfer-Encoding: chunked\r\n"
LENGTH = b"Content-Length: %d\r\n"
CHUNK = b"24\r\n" + MESSAGE + b"\r\n0\r\n\r\n"
AMBIGUOUS = {
    "length and chunks": LENGTH % 4 + CHUNKED + b"\r\n" + CHUNK,
    "chunks and length": CHUNKED + LENGTH % 4 + b"\r\n" + CHUNK,
    "two lengths": LENGTH % 36 + LENGTH % 4 + b"\r\n" + MESSAGE,
    "a list of lengths": b"Content-Length: 36, 4\r\n\r\n" + MESSAGE,
    "a signed length": b"Content-Length: +36\r\n\r\n" + MESSAGE,
    "a hexadecimal length": b"Content-Length: 0x24\r\n\r\n" + MESSAGE,
    "a space before the colon": b"Content-Length : 36\r\n\r\n" + MESSAGE,
    "a space before the colon of chunks": b"Transfer-Encoding : chunked\r\n\r\n" + CHUNK,
    "another encoding": b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNK,
    "identity": b"Transfer-Encoding: identity\r\n" + LENGTH % 36 + b"\r\n" + MESSAGE,
    "chunked twice": CHUNKED + CHUNKED + b"\r\n" + CHUNK,
    "chunked and identity": CHUNKED + b"Transfer-Encoding: identity\r\n\r\n" + CHUNK,
    "a vertical tab": b"Transfer-Encoding:\x0bchunked\r\n\r\n" + CHUNK,
    "a bare carriage return": b"X: a\rTransfer-Encoding: chunked\r\n\r\n" + CHUNK,
    "a NUL": b"X: a\0b\r\n\r\n",
    "no chunk end": CHUNKED + b"\r\n24\r\n" + MESSAGE + b"0\r\n\r\n",
    "a negative chunk": CHUNKED + b"\r\n-24\r\n" + MESSAGE + b"\r\n0\r\n\r\n",
    "a chunk in 0x": CHUNKED + b"\r\n0x24\r\n" + MESSAGE + b"\r\n0\r\n\r\n",
    "a huge chunk": CHUNKED + b"\r\n" + b"f" * 30 + b"\r\n" + MESSAGE,
    "an endless chunk extension": CHUNKED + b"\r\n24;" + b"a" * 2_000_000,
    "two hosts": b"Host: localhost\r\n" + LENGTH % 36 + b"\r\n" + MESSAGE,
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_a_request_whose_end_is_ambiguous_is_refused_and_nothing_after_it_is_read(start, store, name):
    with connected(start(QUICK)) as connection:
        with suppress(OSError):
            connection.sendall(POST + AMBIGUOUS[name] + WHOLE)
        received = read_all(connection)
    assert received.count(b"HTTP/1.1 ") == 1, received
    assert status(received) == 400, received
    assert store.spaces() == []


def test_chunks_in_http_1_0_are_refused(start, store):
    with connected(start(QUICK)) as connection:
        connection.sendall(POST.replace(b"HTTP/1.1", b"HTTP/1.0") + CHUNKED + b"\r\n" + CHUNK)
        assert status(read_all(connection)) == 400
    assert store.spaces() == []

"""Tests that clients which connect and do nothing neither stop the server nor fill its log."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.robustness.test_server import GOOD, PLACE, post, talk
from tests.serving import Served, served

pytestmark = [
    pytest.mark.req("X17"),
    pytest.mark.skipif(sys.platform != "linux", reason="limits the descriptors of another process"),
]

DESCRIPTORS = 256
MAX_LOG = 10_000  # characters; the log once had 35 MB


@contextmanager
def descriptors(number: int) -> Iterator[None]:
    """Limits the open files of this process and of those that it starts."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def half_sent(url: str, number: int) -> Iterator[list[socket.socket]]:
    """Opens connections that send the beginning of a request and then nothing."""
    parts = urlsplit(url)
    with ExitStack() as stack:
        opened = [
            stack.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=30))
            for _ in range(number)
        ]
        for connection in opened:
            with suppress(OSError):
                connection.sendall(b"POST /api/memory/conversations/c/messages HTTP/1.1\r\nHost: loc")
        yield opened


def answers(server: Served) -> bool:
    return talk(server.url, post(PLACE, GOOD)).startswith(b"HTTP/1.1 201")


def sockets(server: Served) -> int:
    links = []
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(str(file.readlink()))
    return sum(link.startswith("socket:") for link in links)


def test_half_sent_requests_above_the_descriptors_leave_the_server_available(path):
    with ExitStack() as stack:
        with descriptors(DESCRIPTORS):
            server = stack.enter_context(served(str(path)))
        stack.enter_context(half_sent(server.url, 300))
        for _ in range(20):
            assert answers(server)
        assert sockets(server) < DESCRIPTORS * 3 // 4
        assert len(server.said) < MAX_LOG


@pytest.mark.parametrize("processes", ["1", "2"])
def test_six_hundred_half_sent_requests_end_at_the_deadline(path, processes):
    with (
        served(str(path), "--header-timeout", "1", "--processes", processes) as server,
        half_sent(server.url, 600) as opened,
    ):
        assert answers(server)
        for connection in opened:
            with suppress(ConnectionResetError):
                while connection.recv(65536):
                    pass
        assert answers(server)
        assert len(server.said) < MAX_LOG


def test_connections_that_cannot_be_accepted_are_logged_once(path):
    """The limit of descriptors drops below what the server expected when it started."""
    import resource

    with served(str(path)) as server:
        assert answers(server)
        used = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (used + 5, used + 500))
        with half_sent(server.url, 100) as opened:
            while "accept_failed" not in server.said:
                opened[0].settimeout(0.05)
                with suppress(OSError):
                    opened[0].recv(1)
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (used + 500, used + 500))
            assert answers(server)
        assert before[0] > used + 5
        assert server.said.count("accept_failed") == 1
        assert len(server.said) < MAX_LOG

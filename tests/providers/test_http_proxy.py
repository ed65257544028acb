"""Tests which requests use the proxy of the environment."""

import socketserver
import threading
from contextlib import suppress

import httpx2
import pytest

from aforesaid.providers.http_client import proxy_mounts


class RefusingProxy(socketserver.ThreadingTCPServer):
    """A proxy on loopback that counts its requests and responds to each with an error."""

    requests = 0


class Refusal(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.server.requests += 1
        self.rfile.readline()
        self.wfile.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.fixture
def proxy(monkeypatch):
    with RefusingProxy(("127.0.0.1", 0), Refusal) as server:
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
            monkeypatch.setenv(variable, f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("url", "proxied"),
    [
        ("http://localhost:1/v1", False),
        ("http://LOCALHOST:1/v1", False),
        ("http://127.0.0.1:1/v1", False),
        ("http://127.8.9.1:1/v1", False),
        ("http://[::1]:1/v1", False),
        ("http://a.localhost:1/v1", False),
        ("http://box/v1", True),
        ("https://api.openai.com/v1", True),
    ],
)
def test_a_server_on_loopback_is_never_called_through_a_proxy(proxy, url, proxied):
    with httpx2.Client(mounts=proxy_mounts(httpx2.URL(url))) as client, suppress(httpx2.HTTPError):
        client.get(url)  # nothing listens there: only the proxy can respond
    assert proxy.requests == int(proxied)

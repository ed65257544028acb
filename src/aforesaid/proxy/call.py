"""A request that the proxy answers, after its sender was authenticated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from anyio import Event
from starlette.requests import Request
from starlette.types import Send

from aforesaid.proxy.targets import ProxyTarget


class StreamedBody:
    """The body of a request, sent on while it arrives. `over`: nobody reads it any longer."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.over = Event()

    @classmethod
    def of(cls, request: Request) -> StreamedBody | bytes:
        """Returns b"" for a request without a body."""
        has_body = "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
        return cls(request) if has_body else b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._request.stream():
            if piece:
                yield piece


@dataclass(frozen=True, slots=True)
class ProxyCall:
    """`own_credentials`: the request's credentials are the upstream's, not this server's. A body that memory reads is
    complete."""

    request: Request
    send: Send
    space: str
    own_credentials: bool
    target: ProxyTarget
    body: bytes | StreamedBody

    @property
    def path_and_query(self) -> str:
        query = self.request.url.query
        return self.target.path + (f"?{query}" if query else "")

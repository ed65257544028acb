"""Serves many clients over HTTP: streamable, without sessions, so that any process can answer any request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

from recollect.mcp_server.caller import CALLER, Caller
from recollect.mcp_server.server import Asked, make_server

CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # Host and Origin were looked at before


class Http:
    """An application for requests whose scope has their caller. `largest` is the bytes of a body at most."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers as long as this is open."""
        sessions = StreamableHTTPSessionManager(
            make_server(_caller),
            json_response=True,
            stateless=True,
            security_settings=CHECKED,
            max_request_body_size=self._largest,
        )
        async with sessions.run():
            self._sessions = sessions
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._sessions is not None, "not running"
        await self._sessions.handle_request(scope, receive, send)


def _caller(asked: Asked) -> Caller:
    assert asked.request is not None
    caller: Caller = asked.request.scope[CALLER]
    return caller

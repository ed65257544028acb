"""The MCP endpoint at /mcp. Callers have the same access as in the REST API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING

from anyio import to_thread
from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aforesaid.access.authentication import Authenticator, requested_space
from aforesaid.access.limits import RateLimiter
from aforesaid.access.problems import Refusal, error_response, problem, problem_response
from aforesaid.mcp_server.caller import CALLER_SCOPE_KEY, McpCaller
from aforesaid.memory import Memory
from aforesaid.server.dependencies import address

if TYPE_CHECKING:
    from aforesaid.mcp_server.transports import McpHttpApp

PATH = "/mcp"
NOT_INSTALLED = 'MCP needs a package that is not installed: pip install "aforesaid[mcp]"'


def load_mcp_app(largest: int) -> McpHttpApp | None:
    """Returns None if the mcp package is not installed. Imports it at startup, so that no request waits for it."""
    if find_spec("mcp") is None:
        return None
    from aforesaid.mcp_server.transports import McpHttpApp

    return McpHttpApp(largest)


class McpEndpoint:
    """Authenticates, counts and answers each request by itself. Accepts only POST: the server never sends a message
    without a request."""

    def __init__(self, memory: Memory, authenticator: Authenticator, limits: RateLimiter, largest: int) -> None:
        self._memory, self._authenticator, self._limits = memory, authenticator, limits
        self._http = load_mcp_app(largest)
        self._route = Route(PATH, endpoint=self, include_in_schema=False)

    def mount(self, app: FastAPI) -> None:
        app.router.routes.extend((self._route, Route(f"{PATH}/", endpoint=self, include_in_schema=False)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._http.running() if self._http else nullcontext():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self._route  # for telemetry
        request = Request(scope)
        if request.method != "POST":
            refused = problem(405, "no_such_method", "use POST; this server has no streams to GET")
            await problem_response(refused, {"Allow": "POST"})(scope, receive, send)
        elif self._http is None:
            await problem_response(problem(501, "not_installed", NOT_INSTALLED))(scope, receive, send)
        else:
            try:
                caller = await to_thread.run_sync(self._admit, request)
            except Refusal as refusal:
                await error_response(refusal)(scope, receive, send)
                return
            await self._http({**scope, CALLER_SCOPE_KEY: caller}, receive, send)

    def _admit(self, request: Request) -> McpCaller:
        principal = self._authenticator.admit(request.headers, address(request))
        self._limits.count(principal)
        return McpCaller(self._memory, principal, requested_space(request.headers, request.query_params.get("space")))

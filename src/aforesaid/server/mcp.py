"""The MCP endpoint at /mcp. Callers have the same access as in the REST API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from anyio import Lock, create_task_group, sleep_forever, to_thread
from anyio.abc import TaskStatus
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aforesaid.access.authentication import Authenticator, requested_space
from aforesaid.access.limits import RateLimiter
from aforesaid.access.oauth import METADATA_PATH, OAuthOptions, TokenAuthenticator
from aforesaid.access.problems import Refusal, error_response, problem, problem_response
from aforesaid.mcp_server.caller import CALLER_SCOPE_KEY, McpCaller
from aforesaid.memory import Memory
from aforesaid.server.dependencies import address

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
NOT_INSTALLED = 'MCP needs a package that is not installed: pip install "aforesaid[mcp]"'


class McpEndpoint:
    """Authenticates and counts each request. Accepts only POST: the server never sends a message by itself."""

    def __init__(
        self, memory: Memory, authenticator: Authenticator | TokenAuthenticator, limits: RateLimiter, largest: int
    ) -> None:
        self._memory, self._authenticator, self._limits = memory, authenticator, limits
        self._largest = largest
        self._installed = find_spec("mcp") is not None
        self._sessions: StreamableHTTPSessionManager | None = None
        self._starting = Lock()
        self._route = Route(PATH, endpoint=self, include_in_schema=False)

    def mount(self, app: FastAPI) -> None:
        app.router.routes.extend((self._route, Route(f"{PATH}/", endpoint=self, include_in_schema=False)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def _started(self) -> StreamableHTTPSessionManager:
        """Starts the MCP server at the first request: the import of `mcp` takes about half a second."""
        async with self._starting:
            return self._sessions or await self._tasks.start(self._serve)

    async def _serve(self, *, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        self._sessions = await to_thread.run_sync(_make_sessions, self._largest)
        async with self._sessions.run():
            task_status.started(self._sessions)
            await sleep_forever()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self._route  # for telemetry
        request = Request(scope)
        if request.method != "POST":
            refused = problem(405, "no_such_method", "use POST; this server has no streams to GET")
            await problem_response(refused, {"Allow": "POST"})(scope, receive, send)
        elif not self._installed:
            await problem_response(problem(501, "not_installed", NOT_INSTALLED))(scope, receive, send)
        else:
            try:
                caller = await to_thread.run_sync(self._admit, request)
            except Refusal as refusal:
                await error_response(refusal)(scope, receive, send)
                return
            sessions = await self._started()
            await sessions.handle_request({**scope, CALLER_SCOPE_KEY: caller}, receive, send)

    def _admit(self, request: Request) -> McpCaller:
        principal = self._authenticator.admit(request.headers, address(request))
        self._limits.count(principal)
        return McpCaller(self._memory, principal, requested_space(request.headers, request.query_params.get("space")))


def oauth_metadata_routes(options: OAuthOptions) -> list[Route]:
    """Where a client finds the issuer: at the path of the resource, or at the root."""

    async def send(_: Request) -> JSONResponse:
        return JSONResponse(options.metadata())

    return [Route(path, send, include_in_schema=False) for path in (f"{METADATA_PATH}{PATH}", METADATA_PATH)]


def _make_sessions(largest: int) -> StreamableHTTPSessionManager:
    from aforesaid.mcp_server.server import http_sessions

    return http_sessions(largest)

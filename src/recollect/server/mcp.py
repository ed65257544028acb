"""MCP at /mcp: lets the same callers in as the rest of the server, and no further."""

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

from recollect.access.gate import Gate, said_space
from recollect.access.limits import Limits
from recollect.access.problems import of_refusal, problem
from recollect.access.refusal import Refusal
from recollect.mcp_server.caller import CALLER, Caller
from recollect.memory import Memory
from recollect.server.failing import answer

if TYPE_CHECKING:
    from recollect.mcp_server.http import Http

PATH = "/mcp"
MISSING = 'MCP needs a package that is not installed: pip install "recollect[mcp]"'


def installed(largest: int) -> Http | None:
    """What answers; None where its package is not installed. Loaded now, so that no request waits for it."""
    if find_spec("mcp") is None:
        return None
    from recollect.mcp_server.http import Http

    return Http(largest)


class Mcp:
    """Every request is let in, counted and answered by itself. Only POST: nothing is ever sent unasked."""

    def __init__(self, memory: Memory, gate: Gate, limits: Limits, largest: int) -> None:
        self._memory, self._gate, self._limits = memory, gate, limits
        self._http = installed(largest)
        self._route = Route(PATH, endpoint=self, include_in_schema=False)

    def mount(self, app: FastAPI) -> None:
        app.router.routes.extend((self._route, Route(f"{PATH}/", endpoint=self, include_in_schema=False)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._http.running() if self._http else nullcontext():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self._route  # for whoever counts requests
        request = Request(scope)
        if request.method != "POST":
            refused = problem(405, "no_such_method", "POST a request; this server has no streams to GET")
            await answer(refused, {"Allow": "POST"})(scope, receive, send)
        elif self._http is None:
            await answer(problem(501, "not_installed", MISSING))(scope, receive, send)
        else:
            try:
                caller = await to_thread.run_sync(self._admit, request)
            except Refusal as refusal:
                await answer(of_refusal(refusal), refusal.headers)(scope, receive, send)
                return
            await self._http({**scope, CALLER: caller}, receive, send)

    def _admit(self, request: Request) -> Caller:
        address = request.client.host if request.client else "local"
        principal = self._gate.admit(request.headers, address)
        self._limits.count(principal)
        return Caller(self._memory, principal, said_space(request.headers, request.query_params.get("space")))

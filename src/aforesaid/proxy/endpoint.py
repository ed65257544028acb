"""The ASGI endpoint of the proxy: authenticates the caller as the rest of the server does, then forwards the request.

Without API keys in the store, the credentials of the client go upstream. With API keys, they are ours and never
leave.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from urllib.parse import quote, unquote

from anyio import CancelScope, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aforesaid.access.authentication import Authenticator, Principal, anonymous, requested_space
from aforesaid.access.limits import RateLimiter
from aforesaid.access.problems import (
    OLLAMA_NAMES,
    OLLAMA_PREFIX,
    PROXY_PREFIX,
    Forbidden,
    Problem,
    Refusal,
    ResponseAborted,
    error_response,
    problem,
    problem_response,
)
from aforesaid.errors import AforesaidError
from aforesaid.memory import Memory
from aforesaid.proxy.call import ProxyCall, StreamedBody
from aforesaid.proxy.forward import Forwarder
from aforesaid.proxy.targets import REALTIME, ProxyTarget, find_target
from aforesaid.proxy.upstream import UpstreamOptions

ROUTES = (
    f"{PROXY_PREFIX}{{path:path}}", *(f"/api/{name}" for name in OLLAMA_NAMES), "/api/blobs/{digest}",
    OLLAMA_PREFIX, f"{OLLAMA_PREFIX}/{{path:path}}",
)  # fmt: skip
NO_UPSTREAM = "no upstream is configured: start with --upstream URL, for example --upstream https://api.openai.com/v1"
NO_SUCH_PATH = "the proxy forwards the paths below /v1 and those of Ollama, without `..` and empty names"
NO_WEBSOCKET = (
    "the proxy has no WebSockets; use HTTP, such as POST /v1/responses with `stream`, or connect to the upstream "
    "itself, without memory"
)
NO_REALTIME = (
    "the proxy has no Realtime API; use /v1/responses or /v1/chat/completions, or connect to the upstream itself, "
    "without memory"
)
SHARED = (
    "this key opens only some spaces; what the upstream keeps is common to all of them, so this needs a key to all "
    "spaces"
)


class ProxyEndpoint:
    """Answers all requests below /v1, and those of Ollama's API. Without an upstream, the response says how to
    configure one."""

    def __init__(
        self, memory: Memory, authenticator: Authenticator, limits: RateLimiter, upstream: UpstreamOptions | None
    ) -> None:
        self._authenticator, self._limits = authenticator, limits
        self._forwarder = None if upstream is None else Forwarder(memory, upstream)
        self._unlocked = False
        self._routes = [Route(path, endpoint=self, include_in_schema=False) for path in ROUTES]

    def mount(self, app: Starlette) -> None:
        app.router.routes += self._routes
        app.router.routes.append(Route("/", _answer_head, methods=["HEAD"], include_in_schema=False))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._forwarder.open() if self._forwarder else nullcontext():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        matching = (route for route in self._routes if route.path_regex.match(scope["path"]))
        scope["route"] = next(matching, self._routes[0])  # for telemetry
        request = Request(scope, receive)
        target = find_target(request.method, (scope.get("raw_path") or quote(scope["path"]).encode()).decode("latin-1"))
        refused = self._refused(request, target)
        if self._forwarder is None or target is None or refused is not None:
            assert refused is not None
            headers = {"Upgrade": "HTTP/1.1", "Connection": "Upgrade"} if refused.status == 426 else {}
            await problem_response(refused, headers, scope["path"])(scope, receive, send)
            return
        try:
            space, own_credentials = await to_thread.run_sync(self._admit, request, target)
            body = await request.body() if target.wire else StreamedBody.of(request)
            await _until_disconnect(self._forwarder, ProxyCall(request, send, space, own_credentials, target, body))
        except (AforesaidError, Refusal) as error:
            await error_response(error, scope["path"])(scope, receive, send)
        except ClientDisconnect:
            return

    def _refused(self, request: Request, target: ProxyTarget | None) -> Problem | None:
        """Returns why no upstream gets the request, whoever sends it."""
        if self._forwarder is None:
            return problem(501, "no_upstream", NO_UPSTREAM)
        if "websocket" in request.headers.get("upgrade", "").lower():
            return problem(426, "no_websocket", NO_WEBSOCKET)  # with this status, Codex continues over HTTP
        if target is None:
            return problem(404, "no_such_path", NO_SUCH_PATH)
        if REALTIME.fullmatch(unquote(target.path)):
            return problem(404, "no_realtime", NO_REALTIME)
        return None

    def _admit(self, request: Request, target: ProxyTarget) -> tuple[str, bool]:
        """Returns the space, and True if the request's credentials are the upstream's."""
        address = request.client.host if request.client else "local"
        unlocked = self._is_unlocked()
        principal = anonymous(address) if unlocked else self._authenticator.admit(request.headers, address)
        self._limits.count(principal)
        _check_access(principal, target)
        return principal.space(requested_space(request.headers, None)), unlocked

    def _is_unlocked(self) -> bool:
        """Returns True if requests need no key. If the store fails, the last known answer counts."""
        try:
            self._unlocked = self._authenticator.unlocked()
        except AforesaidError:
            if not self._unlocked:
                raise
        return self._unlocked


def _check_access(principal: Principal, target: ProxyTarget) -> None:
    principal.need("read" if target.access == "read" else "write")
    if target.access == "shared" and principal.spaces is not None:
        raise Forbidden(SHARED)


async def _answer_head(_: Request) -> Response:
    """Claude Code and Ollama's command check in this way that a server runs."""
    return Response()


async def _until_disconnect(forwarder: Forwarder, call: ProxyCall) -> None:
    """Answers until the client or the upstream disconnects. Then closes the other connection too."""
    complete, failure = True, None
    async with create_task_group() as group:
        group.start_soon(_cancel_on_disconnect, call, group.cancel_scope)
        try:
            complete = await forwarder.answer(call)
        except (ClientDisconnect, HTTPException) as error:  # while the body arrives; a group would wrap it
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    if not complete:
        raise ResponseAborted("the upstream closed the connection")


async def _cancel_on_disconnect(call: ProxyCall, scope: CancelScope) -> None:
    if isinstance(call.body, StreamedBody):
        await call.body.over.wait()
    while (await call.request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()

"""The ASGI endpoint at /v1: authenticates the caller as the rest of the server does, then forwards the request.

Without API keys in the store, the credentials of the client go upstream. With API keys, they are ours and never
leave.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from urllib.parse import unquote

from anyio import CancelScope, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aforesaid.access.authentication import Authenticator, anonymous, requested_space
from aforesaid.access.limits import RateLimiter
from aforesaid.access.problems import PROXY_PREFIX, Refusal, ResponseAborted, error_response, problem, problem_response
from aforesaid.errors import AforesaidError
from aforesaid.memory import Memory
from aforesaid.proxy.forward import WIRES, Forwarder, ProxyCall, proxy_path
from aforesaid.proxy.upstream import UpstreamOptions

PASS_THROUGH = {"embeddings": "POST", "messages/count_tokens": "POST", "models": "GET"}
NO_UPSTREAM = "no upstream is configured: start with --upstream URL, for example --upstream https://api.openai.com/v1"


class ProxyEndpoint:
    """Answers all requests below /v1. Without an upstream, the response says how to configure one."""

    def __init__(
        self, memory: Memory, authenticator: Authenticator, limits: RateLimiter, upstream: UpstreamOptions | None
    ) -> None:
        self._authenticator, self._limits = authenticator, limits
        self._forwarder = None if upstream is None else Forwarder(memory, upstream)
        self._unlocked = False
        self._route = Route(f"{PROXY_PREFIX}{{path:path}}", endpoint=self, include_in_schema=False)

    def mount(self, app: Starlette) -> None:
        app.router.routes.append(self._route)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._forwarder.open() if self._forwarder else nullcontext():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self._route  # for telemetry
        request = Request(scope, receive)
        refused = _unsupported(request.method, proxy_path(request))
        if self._forwarder is None:
            refused = problem_response(problem(501, "no_upstream", NO_UPSTREAM), path=PROXY_PREFIX)
        if self._forwarder is None or refused is not None:
            assert refused is not None
            await refused(scope, receive, send)
            return
        try:
            space, own_credentials = await to_thread.run_sync(self._admit, request)
            body = await request.body()
        except (AforesaidError, Refusal) as error:
            await error_response(error, PROXY_PREFIX)(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            await _until_disconnect(self._forwarder, ProxyCall(request, send, space, own_credentials, body))

    def _admit(self, request: Request) -> tuple[str, bool]:
        """Returns the space, and True if the request's credentials are the upstream's."""
        address = request.client.host if request.client else "local"
        unlocked = self._is_unlocked()
        principal = anonymous(address) if unlocked else self._authenticator.admit(request.headers, address)
        self._limits.count(principal)
        principal.need("write" if proxy_path(request) in WIRES else "read")
        return principal.space(requested_space(request.headers, None)), unlocked

    def _is_unlocked(self) -> bool:
        """Returns True if requests need no key. If the store fails, the last known answer counts."""
        try:
            self._unlocked = self._authenticator.unlocked()
        except AforesaidError:
            if not self._unlocked:
                raise
        return self._unlocked


async def _until_disconnect(forwarder: Forwarder, call: ProxyCall) -> None:
    """Answers until the client or the upstream disconnects. Then closes the other connection too."""
    complete = True
    async with create_task_group() as group:
        group.start_soon(_cancel_on_disconnect, call.request.receive, group.cancel_scope)
        complete = await forwarder.answer(call)
        group.cancel_scope.cancel()
    if not complete:
        raise ResponseAborted("the upstream closed the connection")


async def _cancel_on_disconnect(receive: Receive, scope: CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _unsupported(method: str, path: str) -> JSONResponse | None:
    """Returns the error response for a path or method that the proxy does not have."""
    allowed = "POST" if path in WIRES else PASS_THROUGH.get("models" if _is_model_path(path) else path)
    if allowed is None:
        paths = ", ".join(PROXY_PREFIX + path for path in (*WIRES, *PASS_THROUGH))
        return problem_response(problem(404, "no_such_path", f"the proxy has {paths}"), path=PROXY_PREFIX)
    if method != allowed:
        refused = problem(405, "no_such_method", f"use {allowed}")
        return problem_response(refused, {"Allow": allowed}, PROXY_PREFIX)
    return None


def _is_model_path(path: str) -> bool:
    """Returns True for the path of one model, and False if it leads to another path."""
    name = unquote(path.removeprefix("models/"))
    return path.startswith("models/") and bool(name) and not {".", "..", ""} & set(name.split("/"))

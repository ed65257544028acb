"""The door at /v1: lets the same callers in as the rest of the server, and asks the upstream for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from urllib.parse import quote, unquote

from anyio import CancelScope, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from recollect.access.broken import BrokenOff
from recollect.access.gate import Gate, said_space
from recollect.access.limits import Limits
from recollect.access.principal import anybody
from recollect.access.problems import of_error, of_refusal, problem
from recollect.access.refusal import Refusal
from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.proxy.exchange import MEMORY, Exchange, Outgoing, Thought, Way, refusal
from recollect.proxy.headers import going
from recollect.proxy.mind import Asking
from recollect.proxy.options import Upstream
from recollect.replies.listen import Wire

PATH = "/v1"
WIRES: Mapping[str, Wire] = {"chat/completions": "chat", "responses": "responses", "messages": "messages"}
PASSED = {"embeddings": "POST", "messages/count_tokens": "POST", "models": "GET"}
HOW = "no upstream is set up: start it with --upstream URL, for example --upstream https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, for whose memory. `own`: what they sent to be let in is the upstream's, not ours."""

    space: str
    own: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was let in, and how to answer it."""

    request: Request
    send: Send
    visitor: Visitor
    body: bytes


class Proxy:
    """Answers everything below /v1. Without an upstream it says how to name one."""

    def __init__(self, memory: Memory, gate: Gate, limits: Limits, upstream: Upstream | None) -> None:
        self._gate, self._limits = gate, limits
        self._exchange = None if upstream is None else Exchange(memory, upstream)
        self._unlocked = False
        self._route = Route(f"{PATH}/{{path:path}}", endpoint=self, include_in_schema=False)

    def mount(self, app: Starlette) -> None:
        app.router.routes.append(self._route)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._exchange.open() if self._exchange else nullcontext():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self._route  # for whoever counts requests
        request = Request(scope, receive)
        path = scope["path"].removeprefix(f"{PATH}/")
        if self._exchange is None:
            await refusal(problem(501, "no_upstream", HOW))(scope, receive, send)
            return
        refused = _refused(request.method, path)
        if refused is not None:
            await refused(scope, receive, send)
            return
        try:
            visitor = await to_thread.run_sync(self._admit, request, path in WIRES)
            body = await request.body()
        except Refusal as error:
            await refusal(of_refusal(error), error.headers)(scope, receive, send)
        except RecollectError as error:
            await refusal(of_error(error))(scope, receive, send)
        except ClientDisconnect:
            return
        else:
            await _while_there(self._exchange, Call(request, send, visitor, body))

    def _admit(self, request: Request, storing: bool) -> Visitor:
        address = request.client.host if request.client else "local"
        own = self._open()
        principal = anybody(address) if own else self._gate.admit(request.headers, address)
        self._limits.count(principal)
        principal.need("write" if storing else "read")
        return Visitor(principal.space(said_space(request.headers, None)), own)

    def _open(self) -> bool:
        """Whether anybody may ask. Where the store cannot say, it is as it was when it last could."""
        try:
            self._unlocked = self._gate.unlocked()
        except RecollectError:
            if not self._unlocked:
                raise
        return self._unlocked


async def _while_there(exchange: Exchange, call: Call) -> None:
    """Answers as long as the caller is there; the upstream is let go with the caller. What breaks off there breaks off
    here."""
    whole = True
    async with create_task_group() as group:
        group.start_soon(_gone, call.request.receive, group.cancel_scope)
        whole = await _answer(exchange, call)
        group.cancel_scope.cancel()
    if not whole:
        raise BrokenOff("the upstream broke off")


async def _answer(exchange: Exchange, call: Call) -> bool:
    request = call.request
    path = request.scope["path"].removeprefix(f"{PATH}/")
    wire = WIRES.get(path)
    headers = going(request.headers, exchange.key, wire, own=call.visitor.own)
    outgoing = Outgoing(request.method, _address(request, path), headers, call.body, wire)
    thought = Thought() if wire is None else await _thought(exchange, call, wire)
    return await exchange.answer(outgoing, thought, Way(request.scope, request.receive, call.send))


async def _thought(exchange: Exchange, call: Call, wire: Wire) -> Thought:
    if call.request.headers.get(MEMORY, "").strip().lower() == "off":
        return Thought(off="asked")
    return await exchange.think(Asking(call.visitor.space, wire, call.body, dict(call.request.headers)))


def _refused(method: str, path: str) -> JSONResponse | None:
    """The answer to what the proxy does not have."""
    wanted = "POST" if path in WIRES else PASSED.get("models" if _a_model(path) else path)
    if wanted is None:
        known = ", ".join(f"{PATH}/{one}" for one in (*WIRES, *PASSED))
        return refusal(problem(404, "no_such_path", f"the proxy has {known}"))
    if method != wanted:
        return refusal(problem(405, "no_such_method", f"{wanted} is what it takes"), {"Allow": wanted})
    return None


def _a_model(path: str) -> bool:
    """Whether it is one model's path, and leads nowhere else."""
    name = unquote(path.removeprefix("models/"))
    return path.startswith("models/") and bool(name) and not {".", "..", ""} & set(name.split("/"))


def _address(request: Request, path: str) -> str:
    query = request.url.query
    return quote(path, safe="/%:@") + (f"?{query}" if query else "")


async def _gone(receive: Receive, scope: CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()

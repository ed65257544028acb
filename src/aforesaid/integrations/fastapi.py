"""A store in a FastAPI application of your own: a dependency, and the REST API under a path.

memory = AppMemory("app.db", space_of=user_of)
app = FastAPI(lifespan=memory.lifespan)
app.mount("/memory", memory.api)
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from inspect import isawaitable
from typing import Any
from urllib.parse import quote, unquote

from anyio import to_thread

from aforesaid.aio import AsyncSpace
from aforesaid.errors import ClosedError, InvalidInput
from aforesaid.memory import Memory, RemoteMemory
from aforesaid.models.key import KEY_ACCESS, KeyAccess
from aforesaid.text import validate

try:
    from fastapi import FastAPI, HTTPException, Request
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from aforesaid.access.authentication import Authenticator, Principal, credential
    from aforesaid.access.problems import Refusal, Unauthenticated, error_response
    from aforesaid.server.app import AppOptions, make_mounted
    from aforesaid.server.same_origin import allowed_origin, check_sender, requested_origin
except ImportError as exc:
    raise ImportError('FastAPI is missing; pip install "aforesaid[server]"') from exc

SpaceOf = Callable[[Request], str | Awaitable[str | None] | None]
OWN_HEADERS = (b"authorization", b"x-api-key", b"x-aforesaid-space")  # the application decides, not the client


class AppMemory:
    """A Memory that is open while the application runs.

    `space_of` is your authentication: a function, or a coroutine, from the request to the space of its user, such as
    the user's id. It raises an HTTPException or returns None for a request that may not use the memory. All other
    arguments are those of `Memory`.
    """

    def __init__(
        self,
        store: str,
        *,
        space_of: SpaceOf,
        access: KeyAccess = "write",
        origins: tuple[str, ...] = (),
        **options: Any,  # noqa: ANN401 (as Memory)
    ) -> None:
        self._open = lambda: Memory(store, **options)
        self._space_of = space_of
        self._access = validate.choice(access, KEY_ACCESS, "access")
        self._written_origins = origins
        self._origins = tuple(map(allowed_origin, origins))
        self._memory: Memory | None = None
        self._mounted: ASGIApp | None = None
        self.api: ASGIApp = self._serve
        """The REST API, to mount under a path: each caller can use the space of `space_of`, with the `access` that you
        gave. Pages of the `origins` may use it, beside the application's own."""

    @property
    def memory(self) -> Memory:
        """The open Memory. Raises ClosedError before the application starts, and after its end."""
        if self._memory is None:
            raise ClosedError("the memory is open while the application runs; pass `lifespan` to FastAPI")
        return self._memory

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Opens the Memory, and closes it at the end. In a lifespan of your own: `async with memory.lifespan(app):`"""
        self._memory = await to_thread.run_sync(self._open)
        try:
            yield
        finally:
            memory, self._memory, self._mounted = self._memory, None, None
            await to_thread.run_sync(memory.close)

    async def space(self, request: Request) -> AsyncSpace:
        """The dependency: the space of the request's user. `space: Annotated[AsyncSpace, Depends(memory.space)]`"""
        return AsyncSpace(self.memory.space(await self._name(request)))

    async def _name(self, request: Request) -> str:
        if isinstance(found := self._space_of(request), str) or found is None:
            name = found
        else:
            name = await found if isawaitable(found) else found
        if name is None:
            raise HTTPException(401, "sign in first")
        return validate.name(name, "the space of `space_of`")

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Names the caller in place of what the request says of itself."""
        if scope["type"] != "http":
            raise InvalidInput("the REST API answers HTTP only")
        root = scope.get("root_path", "")
        try:
            check_sender(scope, Headers(scope=scope), {requested_origin(scope, Headers(scope=scope)), *self._origins})
        except Refusal as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        name = await self._name(Request(scope, receive))
        headers = [(header, value) for header, value in scope["headers"] if header not in OWN_HEADERS]
        headers.append((b"authorization", b"Bearer " + quote(name, safe="").encode()))
        at_root = {"path": scope["path"].removeprefix(root), "root_path": "", "headers": headers}
        if "raw_path" in scope:
            at_root["raw_path"] = scope["raw_path"].removeprefix(quote(root).encode())
        await self._rest()({**scope, **at_root}, receive, located(send, root))

    def _rest(self) -> ASGIApp:
        if self._mounted is None:
            if isinstance(self.memory, RemoteMemory):
                raise InvalidInput("a store behind a server has its REST API there; mount that of a file or PostgreSQL")
            caller = TrustedCaller(self.memory, self._access)
            options = AppOptions(hosts=None, origins=self._written_origins)
            self._mounted = make_mounted(self.memory, options, caller)
        return self._mounted


def located(send: Send, root: str) -> Send:
    """Puts the path of the API before the `Location` of a new record."""

    async def send_located(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            if headers.get("location", "").startswith("/api/"):
                headers["Location"] = quote(root) + headers["location"]
        await send(message)

    return send_located


class TrustedCaller(Authenticator):
    """Takes the space that the application has named: a principal of this one space."""

    def __init__(self, memory: Memory, access: KeyAccess) -> None:
        super().__init__(memory, open=False, count_failure=lambda _: None)
        self._access = access

    def admit(self, headers: Mapping[str, str], address: str) -> Principal:  # noqa: ARG002
        named = credential(headers)
        if named is None:
            raise Unauthenticated("the application names no space")
        space = unquote(named)
        return Principal(space, self._access, (space,), space)

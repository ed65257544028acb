"""What a handler is given: the space or the store, once it is clear that the caller may have it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.security import APIKeyHeader, HTTPBearer

from recollect.access.gate import Gate, said_space
from recollect.access.limits import Limits
from recollect.access.principal import Principal
from recollect.memory import Memory
from recollect.space import Space

KEYS = "A key, made with `recollect keys create`. On loopback none is needed until the first one is made."
SpaceName = Annotated[
    str | None,
    Query(
        alias="space",
        max_length=1024,
        description="Whose memory. Else the header `X-Recollect-Space` says it, or the key's only space is meant, or "
        "`default`.",
    ),
]


Bearer = Annotated[object, Depends(HTTPBearer(scheme_name="bearer", auto_error=False, description=KEYS))]
Header = Annotated[object, Depends(APIKeyHeader(name="X-Api-Key", scheme_name="header", auto_error=False))]


def caller(request: Request, _bearer: Bearer, _header: Header) -> Principal:
    """Who asks. Counted before anything else is done for them."""
    gate: Gate = request.app.state.gate
    limits: Limits = request.app.state.limits
    principal = gate.admit(request.headers, address(request))
    limits.count(principal)
    return principal


def address(request: Request) -> str:
    return request.client.host if request.client else "local"


Caller = Annotated[Principal, Depends(caller)]


def _space(request: Request, principal: Principal, said: str | None) -> Space:
    memory: Memory = request.app.state.memory
    return memory.space(principal.space(said_space(request.headers, said)))


def readable(request: Request, principal: Caller, said: SpaceName = None) -> Space:
    principal.need("read")
    return _space(request, principal, said)


def writable(request: Request, principal: Caller, said: SpaceName = None) -> Space:
    principal.need("write")
    return _space(request, principal, said)


def governed(request: Request, principal: Caller, said: SpaceName = None) -> Space:
    principal.need("admin")
    return _space(request, principal, said)


def admin(principal: Caller) -> Principal:
    principal.need("admin")
    return principal


def whole(request: Request, principal: Caller) -> Memory:
    principal.need_all()
    memory: Memory = request.app.state.memory
    return memory


def served(request: Request) -> Memory:
    """The store, for a handler that has a space or a caller to keep to."""
    memory: Memory = request.app.state.memory
    return memory


Readable = Annotated[Space, Depends(readable)]  # a space that the caller may read
Writable = Annotated[Space, Depends(writable)]  # … and change
Governed = Annotated[Space, Depends(governed)]  # … and decide about: settings, forgetting, export, consent
Admin = Annotated[Principal, Depends(admin)]  # who may decide about their spaces
Whole = Annotated[Memory, Depends(whole)]  # the store, for whoever has a key to all of it
Served = Annotated[Memory, Depends(served)]  # the store, of which the handler shows no more than the caller may see

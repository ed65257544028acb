"""FastAPI dependencies: the caller, the actor for the audit, and a space or store after the access check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from urllib.parse import unquote

from fastapi import Depends, Query, Request
from fastapi.security import APIKeyHeader, HTTPBearer

from aforesaid import Conversation
from aforesaid.access.authentication import Authenticator, Principal, check_model_address, requested_space
from aforesaid.access.limits import RateLimiter
from aforesaid.memory import Memory
from aforesaid.models.key import KeyAccess
from aforesaid.server.params import ConversationName
from aforesaid.space import Space

MODEL_HEADER = "x-aforesaid-model"
KEY_DESCRIPTION = "A key from `aforesaid keys create`. On loopback, none is needed until the first key is created."
SpaceName = Annotated[
    str | None,
    Query(
        alias="space",
        max_length=1024,
        description="The space. Default: the header `X-Aforesaid-Space`, else the key's only space, else `default`.",
    ),
]
BearerCredential = Annotated[
    object, Depends(HTTPBearer(scheme_name="bearer", auto_error=False, description=KEY_DESCRIPTION))
]
ApiKeyCredential = Annotated[object, Depends(APIKeyHeader(name="X-Api-Key", scheme_name="header", auto_error=False))]


def caller(request: Request, _bearer: BearerCredential, _header: ApiKeyCredential) -> Principal:
    """Authenticates the sender and counts the request against their rate."""
    authenticator: Authenticator = request.app.state.authenticator
    limits: RateLimiter = request.app.state.limits
    principal = authenticator.admit(request.headers, address(request))
    limits.count(principal)
    return principal


def address(request: Request) -> str:
    return request.client.host if request.client else "local"


Caller = Annotated[Principal, Depends(caller)]


def served(request: Request) -> Memory:
    memory: Memory = request.app.state.memory
    return memory


def _space_with(access: KeyAccess) -> Callable[..., Space]:
    """Makes a dependency that returns the requested space if the caller has this access to it."""

    def space(request: Request, principal: Caller, space_name: SpaceName = None) -> Space:
        principal.need(access)
        return served(request).space(principal.space(requested_space(request.headers, space_name)))

    return space


readable, writable, administered = _space_with("read"), _space_with("write"), _space_with("admin")


async def requested_model(request: Request, principal: Caller) -> str | None:
    """The model of the conversation, percent-encoded in a header: new messages are from it, or for it."""
    header = request.headers.get(MODEL_HEADER)
    model = None if header is None else unquote(header)
    check_model_address(principal, model)
    return model


RequestedModel = Annotated[str | None, Depends(requested_model)]


async def readable_conversation(
    space: Annotated[Space, Depends(readable)], conversation: ConversationName, model: RequestedModel
) -> Conversation:
    return space.conversation(conversation, model=model)


async def writable_conversation(
    space: Annotated[Space, Depends(writable)], conversation: ConversationName, model: RequestedModel
) -> Conversation:
    return space.conversation(conversation, model=model)


def admin(principal: Caller) -> Principal:
    principal.need("admin")
    return principal


def whole(request: Request, principal: Caller) -> Memory:
    principal.need_all()
    return served(request)


def actor(
    principal: Caller,
    by: Annotated[
        str | None,
        Query(
            max_length=1024, description="The actor in the audit. Default: the key's name. Others need an admin key."
        ),
    ] = None,
) -> str | None:
    return principal.actor(by)


ReadableSpace = Annotated[Space, Depends(readable)]
WritableSpace = Annotated[Space, Depends(writable)]
ReadableConversation = Annotated[Conversation, Depends(readable_conversation)]
WritableConversation = Annotated[Conversation, Depends(writable_conversation)]
AdminSpace = Annotated[Space, Depends(administered)]  # for settings, forgetting, export and consent
AdminPrincipal = Annotated[Principal, Depends(admin)]
WholeStore = Annotated[Memory, Depends(whole)]  # for a key to all spaces
ServedStore = Annotated[Memory, Depends(served)]  # unchecked: the handler limits the result to the caller's spaces
Actor = Annotated[str | None, Depends(actor)]


def measured_space(
    space: ReadableSpace,
    caller: Caller,
    all: Annotated[bool, Query(description="Of all spaces. Needs an admin key to all spaces.")] = False,
) -> str | None:
    """Returns the space to measure, or None for all spaces."""
    if all:
        caller.need_all()
    return None if all else space.id


MeasuredSpace = Annotated[str | None, Depends(measured_space)]

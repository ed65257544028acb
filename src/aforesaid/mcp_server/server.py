"""The server of the MCP SDK, for HTTP without sessions, so that any process answers any request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

from anyio import to_thread
from mcp.server import Server
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import RequestParams

from aforesaid.mcp_server.caller import CALLER_SCOPE_KEY, McpCaller
from aforesaid.mcp_server.requests import INSTRUCTIONS, METHODS, SERVER_INFO, RequestFailed, Result, answer

McpRequestContext = ServerRequestContext[Any, Any]
CallerLookup = Callable[[McpRequestContext], McpCaller]

NOT_CACHEABLE: dict[CacheableMethod, CacheHint] = dict.fromkeys(get_args(CacheableMethod), CacheHint())
NO_HOST_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # `HostMiddleware` checks


def http_sessions(largest: int) -> StreamableHTTPSessionManager:
    """Serves requests that have a caller in their ASGI scope. A body has at most `largest` bytes."""
    return StreamableHTTPSessionManager(
        make_server(_caller),
        json_response=True,
        stateless=True,
        security_settings=NO_HOST_CHECK,
        max_request_body_size=largest,
    )


def _caller(context: McpRequestContext) -> McpCaller:
    assert context.request is not None
    caller: McpCaller = context.request.scope[CALLER_SCOPE_KEY]
    return caller


def make_server(find_caller: CallerLookup) -> Server[Any]:
    """Makes a server that runs each request in a thread, so that a slow request does not delay others."""
    server: Server[Any] = Server(
        SERVER_INFO["name"],
        title=SERVER_INFO["title"],
        version=SERVER_INFO["version"],
        description=SERVER_INFO["description"],
        instructions=INSTRUCTIONS,
        cache_hints=NOT_CACHEABLE,
        get_tool_input_schema=lambda _: None,  # no argument is sent as a header
    )
    for method in METHODS:
        server.add_request_handler(method, RequestParams, partial(_handle, find_caller))
    server.middleware.clear()  # the SDK's spans contain names from errors
    return server


async def _handle(find_caller: CallerLookup, context: McpRequestContext, _: RequestParams) -> Result:
    """The SDK has validated the parameters."""
    try:
        result = await to_thread.run_sync(answer, find_caller(context), context.method, context.params or {})
    except RequestFailed as exc:
        raise MCPError(exc.code, str(exc), exc.data) from None
    return {**result, "resultType": "complete"}  # the SDK removes it for older versions of the protocol

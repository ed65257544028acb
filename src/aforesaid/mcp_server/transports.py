"""The transports: stdio for one client, and HTTP without sessions, so that any process answers any request."""

from __future__ import annotations

import os
import signal
import sys

import anyio
from anyio import to_thread
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from aforesaid.mcp_server.caller import CALLER_SCOPE_KEY, McpCaller
from aforesaid.mcp_server.server import McpRequestContext, make_server
from aforesaid.memory import Memory

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
NO_HOST_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # `HostMiddleware` checks


def serve_stdio(caller: McpCaller) -> None:
    """Serves until the client disconnects or a signal arrives. Acknowledged data is kept either way."""
    anyio.run(_serve_stdio, caller)


async def _serve_stdio(caller: McpCaller) -> None:
    server = make_server(lambda _: caller)
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            group.start_soon(_exit_on_signal, caller.memory)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _exit_on_signal(memory: Memory) -> None:
    """Closes the store and exits: the thread that reads standard input cannot be stopped in another way."""
    with anyio.open_signal_receiver(*STOP_SIGNALS) as signals:
        async for _ in signals:
            await to_thread.run_sync(memory.close)
            os._exit(0)


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

"""Serves one client on standard input and output; nothing but the protocol is written there."""

from __future__ import annotations

import os
import signal
import sys

import anyio
from anyio import to_thread
from mcp.server.stdio import stdio_server

from recollect.mcp_server.caller import Caller
from recollect.mcp_server.server import make_server
from recollect.memory import Memory

STOPPING = (signal.SIGTERM, signal.SIGINT)


def serve(caller: Caller) -> None:
    """Answers until the client closes its end, or a signal says so; what was acknowledged is kept either way."""
    anyio.run(_serve, caller)


async def _serve(caller: Caller) -> None:
    server = make_server(lambda _: caller)
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            group.start_soon(_end_on_signal, caller.memory)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _end_on_signal(memory: Memory) -> None:
    """Closes the store and ends the process. A thread that waits for standard input cannot be ended otherwise."""
    with anyio.open_signal_receiver(*STOPPING) as signals:
        async for _ in signals:
            await to_thread.run_sync(memory.close)
            os._exit(0)

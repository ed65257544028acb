"""Fixtures: a store with the memory of two users, and the MCP SDK's client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from aforesaid import Memory
from aforesaid.mcp_server.caller import McpCaller, local_caller
from aforesaid.mcp_server.server import make_server

GENERATIONS = ("auto", "legacy")  # protocol 2026-07-28, and the older one with a handshake
SECRET = "Bob hides the Zanzibar ledger under the floor."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def store(open_memory, clock) -> Memory:
    """A store with conversations of Ann and Bob and the extracted facts."""
    memory = open_memory(clock=clock, embedder="none")
    trip = memory.space("ann").conversation("trip")
    trip.add("user", "We settled on Lisbon in May. I live in Berlin.", id="m1", name="Ann")
    trip.add("assistant", "The sleeper train leaves at nine.", id="m2")
    clock.forward(days=1)
    trip.add("user", "I live in Porto now.", id="m3", name="Ann")
    vault = memory.space("bob").conversation("vault")
    vault.add("user", SECRET, id="b1")
    vault.pin("the Zanzibar pin")
    memory.space("bob").remember("Bob's Zanzibar code is 4711.")
    memory.flush()
    return memory


@asynccontextmanager
async def client(caller: McpCaller, mode: str = "auto") -> AsyncIterator[Client]:
    async with Client(make_server(lambda _: caller), mode=mode) as connected:
        yield connected


def ann(store: Memory, *, read_only: bool = False) -> McpCaller:
    return local_caller(store, "ann", read_only=read_only)


async def call(connected: Client, tool: str, **arguments: Any) -> Any:
    """Calls a tool and returns its structured content."""
    result = await connected.call_tool(tool, arguments)
    assert not result.is_error, words(result)
    return result.structured_content


async def refused(connected: Client, tool: str, **arguments: Any) -> str:
    """Calls a tool that must fail and returns the error text."""
    result = await connected.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return words(result)


def words(result: CallToolResult) -> str:
    return "".join(part.text for part in result.content)

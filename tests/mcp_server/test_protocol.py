"""Tests our implementation of the protocol on stdio against that of the MCP SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.stdio import stdio_server
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from tests.mcp_server.conftest import ann

from aforesaid import Memory
from aforesaid.mcp_server.protocol import (
    CAPABILITIES_KEY,
    INITIALIZED_VERSIONS,
    SELF_CONTAINED_VERSIONS,
    VERSION_KEY,
    McpConnection,
)
from aforesaid.mcp_server.server import make_server
from aforesaid.mcp_server.stdio import StdioClient

pytestmark = pytest.mark.req("X6")

PATIENCE = 60

META = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}
CLIENT = {"capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
REQUESTS = [
    ("tools/list", {}),
    ("tools/call", {"name": "recall", "arguments": {"query": "Where does Ann live?"}}),
    ("tools/call", {"name": "recall", "arguments": {"query": "Porto", "limit": 0}}),
    ("tools/call", {"name": "timeline"}),
    ("tools/call", {"name": "no_such_tool"}),
    ("tools/call", {}),
    ("tools/call", {"name": "recall", "arguments": [1]}),
    ("resources/list", {}),
    ("resources/list", {"cursor": 5}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "aforesaid://facts"}),
    ("resources/read", {"uri": "x://y"}),
    ("resources/read", {}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "what_do_you_know_about_me"}),
    ("prompts/get", {"name": "no_such_prompt"}),
    ("prompts/get", {"name": "what_do_you_know_about_me", "arguments": {"space": 3}}),
    ("ping", {}),
    ("server/discover", {}),
    ("logging/setLevel", {"level": "info"}),
    ("no/such/method", {}),
]
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
SESSIONS = {
    "2026-07-28": [(method, {**params, "_meta": META}) for method, params in (("server/discover", {}), *REQUESTS)],
    "2025-11-25": [("initialize", {"protocolVersion": "2025-11-25", **CLIENT}), INITIALIZED, *REQUESTS],
    "2024-11-05": [("initialize", {"protocolVersion": "2024-11-05", **CLIENT}), INITIALIZED, *REQUESTS],
    "an unknown version": [("initialize", {"protocolVersion": "1999-01-01", **CLIENT}), ("prompts/list", {})],
    "no initialize": [("ping", {}), ("tools/list", {}), ("no/such/method", {}), ("initialize", {})],
    "a wrong envelope": [
        ("server/discover", {"_meta": META}),
        ("tools/list", {}),
        ("tools/list", {"_meta": {VERSION_KEY: "2026-07-28"}}),
        ("tools/list", {"_meta": META | {VERSION_KEY: "2099-01-01"}}),
        ("tools/list", {"_meta": META | {VERSION_KEY: 5}}),
        ("tools/list", {"_meta": META | {CAPABILITIES_KEY: 5}}),
        ("initialize", {"protocolVersion": "2025-11-25", **CLIENT}),
    ],
    "an envelope after initialize": [
        ("initialize", {"protocolVersion": "2025-11-25", **CLIENT}),
        ("tools/list", {"_meta": META}),
    ],
}


def lines(session: Sequence[object]) -> list[str]:
    messages = (
        {"jsonrpc": "2.0", "id": n, "method": sent[0], "params": sent[1]} if isinstance(sent, tuple) else sent
        for n, sent in enumerate(session)
    )
    return [json.dumps(message) + "\n" for message in messages]


def ours(store: Memory, sent: Sequence[str | bytes]) -> list[dict]:
    outgoing = BytesIO()
    with ThreadPoolExecutor(1) as threads:
        client = StdioClient(McpConnection(ann(store)), outgoing, threads)
        for line in sent:
            client.receive(line if isinstance(line, bytes) else line.encode())
    return [json.loads(line) for line in outgoing.getvalue().splitlines()]


class PatientClient:
    """The standard streams of a client of the SDK's server. It waits for the answer to each request: at the end of its
    input, the SDK cancels what it has not answered."""

    def __init__(self, sent: Sequence[str]) -> None:
        self._sent = sent
        self._arrived: asyncio.Queue[str] = asyncio.Queue()
        self.answers: list[dict] = []

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._sent:
            yield line
            if "id" in json.loads(line):
                with anyio.fail_after(PATIENCE):
                    self.answers.append(json.loads(await self._arrived.get()))

    async def write(self, line: str) -> None:
        await self._arrived.put(line)

    async def flush(self) -> None: ...


async def theirs(store: Memory, sent: Sequence[str]) -> list[dict]:
    client, server = PatientClient(sent), make_server(lambda _: ann(store))
    async with stdio_server(client, client) as streams:  # type: ignore[arg-type]
        await server.run(*streams, server.create_initialization_options())
    return client.answers


def outcomes(answers: Sequence[dict]) -> dict[int, object]:
    """Results are compared as they are, errors by their code."""
    return {answer["id"]: answer.get("result") or answer.get("error", {}).get("code") for answer in answers}


@pytest.mark.parametrize("session", SESSIONS)
async def test_the_answers_are_those_of_the_sdk(store, session):
    sent = lines(SESSIONS[session])
    assert outcomes(ours(store, sent)) == outcomes(await theirs(store, sent))


def test_the_versions_are_those_of_the_sdk():
    assert INITIALIZED_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert SELF_CONTAINED_VERSIONS == MODERN_PROTOCOL_VERSIONS


def test_a_cancelled_request_is_not_answered(store):
    outgoing, gate = BytesIO(), Event()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    with ThreadPoolExecutor(1) as threads:
        client = StdioClient(McpConnection(ann(store)), outgoing, threads)
        threads.submit(gate.wait, PATIENCE)  # the only thread is busy
        for line in lines([SESSIONS["2025-11-25"][0], ("prompts/list", {}), cancel, ("prompts/list", {})]):
            client.receive(line.encode())
        gate.set()
    assert [json.loads(line)["id"] for line in outgoing.getvalue().splitlines()] == [0, 3]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda kept: st.lists(kept) | st.dictionaries(st.text(), kept),
    max_leaves=5,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers() | st.text() | JSON,
        "method": st.sampled_from(["initialize", "tools/list", "tools/call", "notifications/cancelled"]) | JSON,
        "params": st.dictionaries(st.sampled_from(["_meta", "name", "arguments", "requestId"]), JSON) | JSON,
    },
)


@given(st.binary() | (MESSAGES | JSON).map(lambda sent: json.dumps(sent).encode()))
def test_no_line_stops_the_server(line):
    with Memory(worker=False, environment={}) as memory:
        *_, last = ours(memory, [line.replace(b"\n", b" "), lines([("no/such/method", {})])[0].encode()])
    assert last["error"]["code"] in (-32600, -32601, -32602)

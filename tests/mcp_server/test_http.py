"""Tests the MCP endpoint /mcp of a running server, with its access control and limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.mcp_server.conftest import GENERATIONS, call, refused
from tests.serving import serving

from aforesaid.server.app import AppOptions, make_app

pytestmark = pytest.mark.req("X6", "X17")

ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@asynccontextmanager
async def connected(url: str, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_both_protocol_versions_have_every_tool_resource_and_prompt(store, mode):
    secret = store.create_key("ann", access="admin", spaces=["ann"]).secret
    with serving(make_app(store)) as url:
        async with connected(url, mode, **bearer(secret)) as client:
            assert len((await client.list_tools()).tools) == 8
            kept = await call(client, "add_message", text="The ferry costs 40 euros.", conversation="trip")
            assert (await call(client, "recall", query="ferry"))["passages"][0]["id"] == kept["id"]
            assert (await call(client, "context", conversation="trip"))["parts"]
            assert (await call(client, "timeline"))["entries"]
            pin = await call(client, "pin", conversation="trip", text="Budget")
            await call(client, "unpin", conversation="trip", id=pin["id"])
            seen = await call(client, "forget", message=kept["id"])
            assert (await call(client, "forget", message=kept["id"], confirm=seen["confirm"]))["erased"]
            assert "Porto" in (await client.read_resource("aforesaid://facts")).contents[0].text
            made = await client.get_prompt("summarise_conversation", {"conversation": "trip"})
            assert "Porto" in made.messages[0].content.text


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_a_key_reaches_only_its_own_space(store, mode):
    secret = store.create_key("ann", access="read", spaces=["ann"]).secret
    with serving(make_app(store)) as url:
        async with connected(url, mode, **bearer(secret)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {"recall", "context", "timeline"}
            assert "forbidden" in await refused(client, "remember", text="x")
            assert "forbidden" in await refused(client, "recall", query="Zanzibar", space="bob")
            assert "Zanzibar" not in str(await call(client, "recall", query="Zanzibar"))
        async with connected(url, mode, **bearer(secret), **{"X-Aforesaid-Space": "bob"}) as client:
            assert "forbidden" in await refused(client, "recall", query="Zanzibar")
            assert "forbidden" in await refused(client, "context", conversation="vault")
            assert "Porto" in str(await call(client, "recall", query="Porto", space="ann"))


async def test_the_space_header_selects_the_space(store):
    secret = store.create_key("both", access="write", spaces=["ann", "bob"]).secret
    with serving(make_app(store)) as url:
        async with connected(url, **bearer(secret), **{"X-Aforesaid-Space": "bob"}) as client:
            assert "Zanzibar" in str(await call(client, "recall", query="Zanzibar"))
        async with connected(url, **bearer(secret)) as client:
            assert "which_space" in await refused(client, "recall", query="Zanzibar")


async def test_a_revoked_key_is_rejected(store):
    made = store.create_key("ann", spaces=["ann"])
    with serving(make_app(store)) as url, httpx2.Client(base_url=url, headers=HEADERS, timeout=30) as http:
        assert http.post("/mcp", json=ASK, headers=bearer(made.secret)).status_code == 200
        store.revoke_key(made.key.id)
        for headers in (bearer(made.secret), bearer("nonsense"), {}):
            answer = http.post("/mcp", json=ASK, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "key_needed")
            assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_unknown_hosts_foreign_origins_large_bodies_and_excess_requests_are_rejected(store):
    app = make_app(store, AppOptions(rate="5/day", largest=2000))
    with serving(app) as url, httpx2.Client(base_url=url, headers=HEADERS, timeout=30) as http:
        assert http.post("/mcp", json=ASK, headers={"Host": "evil.example"}).status_code == 421
        assert http.post("/mcp", json=ASK, headers={"Origin": "http://evil.example"}).status_code == 403
        assert http.post("/mcp", json=ASK | {"id": "x" * 3000}).status_code == 413
        assert http.get("/mcp").status_code == http.delete("/mcp").status_code == 405
        statuses = [http.post("/mcp", json=ASK).status_code for _ in range(6)]
        assert statuses[-1] == 429
        assert set(statuses) == {200, 429}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff", b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b"[" * 20_000]
)
def test_an_invalid_body_is_rejected_and_the_server_keeps_running(store, body):
    with serving(make_app(store)) as url, httpx2.Client(base_url=url, headers=HEADERS, timeout=30) as http:
        answer = http.post("/mcp", content=body)
        assert answer.status_code < 500 or "error" in answer.json()
        assert "Traceback" not in answer.text
        assert http.post("/mcp", json=ASK).status_code == 200


def test_the_path_works_with_and_without_a_slash_and_is_counted_once(store):
    with serving(make_app(store)) as url, httpx2.Client(base_url=url, headers=HEADERS, timeout=30) as http:
        assert http.post("/mcp", json=ASK).status_code == http.post("/mcp/", json=ASK).status_code == 200
        counted = 'aforesaid_requests_total{method="POST",route="/mcp",status="200"} 2.0'
        assert counted in http.get("/metrics").text


async def test_concurrent_clients_lose_no_messages(store):
    async def add(url: str, who: int) -> None:
        async with connected(url) as client:
            for n in range(5):
                await call(client, "add_message", text=f"{who}.{n}", conversation="crowd", id=f"{who}.{n}", space="ann")

    with serving(make_app(store)) as url:
        async with anyio.create_task_group() as group:
            for who in range(8):
                group.start_soon(add, url, who)
    said = store.space("ann").conversation("crowd").messages(100)
    assert {one.id for one in said} == {f"{who}.{n}" for who in range(8) for n in range(5)}
    assert [one.seq for one in said] == list(range(40))

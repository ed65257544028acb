"""Tests OAuth at /mcp with the OAuth client of the MCP SDK, and with tokens that are not valid."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from tests import programs
from tests.mcp_server.conftest import GENERATIONS, call, refused
from tests.mcp_server.issuer import HOUR, issuing
from tests.serving import serving

from aforesaid import Memory
from aforesaid.access.oauth import OAuthOptions
from aforesaid.errors import InvalidInput
from aforesaid.server.app import AppOptions, make_app
from aforesaid.server.serve import listen

pytestmark = pytest.mark.req("X6", "X17")

ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
CALLBACK = "http://127.0.0.1:1/callback"


@contextmanager
def resource_server(store: Memory, issuer: str) -> Iterator[str]:
    bound = listen("127.0.0.1", 0)
    resource = f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
    with serving(make_app(store, AppOptions(oauth=OAuthOptions(issuer, resource))), bound=bound):
        yield resource


class Browser:
    """Stores the tokens of a client, and opens the issuer's page, which approves at once."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None
        self.asked: dict[str, list[str]] = {}

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def visit(self, url: str) -> None:
        self.asked = parse_qs(urlsplit(url).query)
        async with httpx2.AsyncClient() as http:
            self.returned = parse_qs(urlsplit((await http.get(url)).headers["Location"]).query)

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**{name: value for name, [value] in self.returned.items()})


@asynccontextmanager
async def signed_in(resource: str, browser: Browser, mode: str = "auto") -> AsyncIterator[Client]:
    metadata = OAuthClientMetadata(client_name="test", redirect_uris=[CALLBACK])  # type: ignore[list-item]
    auth = OAuthClientProvider(resource, metadata, browser, browser.visit, browser.come_back)
    async with (
        httpx2.AsyncClient(auth=auth, timeout=30) as http,
        Client(streamable_http_client(resource, http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_the_sdk_client_finds_the_issuer_signs_in_and_uses_the_tools(store, mode):
    browser = Browser()
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        async with signed_in(resource, browser, mode) as client:
            assert browser.asked["resource"] == [resource]
            assert browser.asked["scope"] == ["aforesaid:read aforesaid:write"]
            assert "forget" not in {tool.name for tool in (await client.list_tools()).tools}
            assert "Porto" in str(await call(client, "recall", query="Where does Ann live?"))
            kept = await call(client, "remember", text="Ann likes trains.")
            assert "forbidden" in await refused(client, "recall", query="Zanzibar", space="bob")
            assert "forbidden" in await refused(client, "forget", message="m1")
    assert store.space("ann").fact(kept["id"]).text == "Ann likes trains."


async def test_a_token_has_the_access_of_its_scopes_and_the_space_of_its_subject(store):
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        for claims, tools in (
            ({"scope": "openid aforesaid:read"}, 3),
            ({"scope": "aforesaid:admin"}, 8),
            ({"scope": None, "scp": ["aforesaid:write"]}, 7),
        ):
            headers = HEADERS | bearer(issuer.token(resource, **claims))
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(resource, http_client=http)) as client,
            ):
                assert len((await client.list_tools()).tools) == tools
        headers = HEADERS | bearer(issuer.token(resource, sub="bob"))
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(resource, http_client=http)) as client,
        ):
            assert "Zanzibar" in str(await call(client, "recall", query="Zanzibar"))
            assert "Porto" not in str(await call(client, "recall", query="Porto"))


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def status(resource: str, headers: dict[str, str]) -> httpx2.Response:
    return httpx2.post(resource, json=ASK, headers=HEADERS | headers, timeout=30)


def test_a_request_without_a_token_learns_where_to_get_one(store):
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        answer = status(resource, {})
        assert answer.status_code == 401  # also on loopback, before the first key
        metadata = f"{resource.removesuffix('/mcp')}/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="{metadata}"' in answer.headers["WWW-Authenticate"]
        for url in (metadata, metadata.removesuffix("/mcp")):
            found = httpx2.get(url).json()
            assert found["resource"] == resource
            assert found["authorization_servers"] == [issuer.url]


def test_a_token_for_another_server_time_or_issuer_is_refused(store):
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        for claims in (
            {"aud": "https://elsewhere.example/mcp"},
            {"aud": None},
            {"iss": "https://elsewhere.example/"},
            {"exp": int(time.time()) - HOUR},
            {"exp": None},
            {"nbf": int(time.time()) + HOUR},
            {"sub": None},
        ):
            answer = status(resource, bearer(issuer.token(resource, **claims)))
            assert answer.status_code == 401, claims
            assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
        forged = issuer.token(resource, generate_private_key(SECP256R1()))
        header, body, _ = issuer.token(resource).split(".")
        none = jwt.encode(jwt.decode(forged, options={"verify_signature": False}), None, "none", {"kid": "k1"})
        shared = jwt.encode({"sub": "ann"}, "k" * 32, "HS256", {"kid": "k1"})
        for token in (forged, none, shared, f"{header}.{body}.", "a.b.c", "..", "nonsense", "ak_x_y"):
            assert status(resource, bearer(token)).status_code == 401, token
        answer = status(resource, bearer(issuer.token(resource, scope="openid")))
        assert answer.status_code == 403
        assert 'error="insufficient_scope"' in answer.headers["WWW-Authenticate"]
        assert status(resource, bearer(issuer.token(resource))).status_code == 200


def test_too_many_wrong_tokens_are_refused_but_a_right_one_is_accepted(store):
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        statuses = [status(resource, bearer(issuer.token(resource, aud="x"))).status_code for _ in range(25)]
        assert set(statuses) == {401, 429}
        assert status(resource, bearer(issuer.token(resource))).status_code == 200


def test_keys_stay_valid_and_tokens_open_only_mcp(store):
    secret = store.create_key("ann", spaces=["ann"]).secret
    with issuing() as issuer, resource_server(store, issuer.url) as resource:
        assert status(resource, bearer(secret)).status_code == 200
        page = resource.removesuffix("/mcp") + "/api/memory/conversations"
        assert httpx2.get(page, headers=bearer(secret)).status_code == 200
        assert httpx2.get(page, headers=bearer(issuer.token(resource))).status_code == 401


def test_an_issuer_that_does_not_answer_is_a_temporary_error(store):
    with issuing() as issuer:
        url = issuer.url
    with resource_server(store, url) as resource:
        answer = status(resource, bearer(issuer.token(resource)))
        assert (answer.status_code, answer.json()["code"]) == (503, "issuer_unavailable")
        assert answer.headers["Retry-After"]


def test_the_command_needs_the_issuer_and_the_public_url(path):
    for options in (["--oauth-issuer", "https://i.example"], ["--public-url", "https://memory.example"]):
        done = programs.run("-m", "aforesaid", "serve", "--store", path, *options, environment=os.environ)
        assert (done.returncode, done.stderr) == (2, b"error: OAuth needs both --oauth-issuer and --public-url\n")


@pytest.mark.parametrize(
    "url", ["http://issuer.example/", "issuer.example", "https://", "https://i.example/?a=b", "file:///etc"]
)
def test_an_issuer_without_https_is_refused(url):
    for issuer, resource in ((url, "https://memory.example/mcp"), ("https://i.example", url)):
        with pytest.raises(InvalidInput, match="https"):
            OAuthOptions(issuer, resource)

"""Tests invalid arguments, access to other spaces, and errors of the MCP server."""

from __future__ import annotations

import logging
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from tests.mcp_server.conftest import GENERATIONS, SECRET, ann, call, client, refused, words

from aforesaid.access.authentication import Principal
from aforesaid.errors import InvalidInput
from aforesaid.mcp_server.caller import McpCaller
from aforesaid.mcp_server.requests import TOOLS
from aforesaid.mcp_server.resources import ResourceUri, parse_uri

pytestmark = pytest.mark.req("X6")

BAD = [
    ("recall", {}),
    ("recall", {"query": ""}),
    ("recall", {"query": " \n"}),
    ("recall", {"query": 7}),
    ("recall", {"query": ["x"]}),
    ("recall", {"query": "a\0b"}),
    ("recall", {"query": "\ud800"}),
    ("recall", {"query": "x", "limit": 0}),
    ("recall", {"query": "x", "limit": 10**30}),
    ("recall", {"query": "x", "limit": "many"}),
    ("recall", {"query": "x", "kinds": ["secrets"]}),
    ("recall", {"query": "x", "since": "yesterday"}),
    ("recall", {"query": "x", "limti": 3}),
    ("recall", {"query": "x", "space": "a\0"}),
    ("remember", {"text": ""}),
    ("remember", {"text": "\0"}),
    ("remember", {"text": "x", "kind": "rumour"}),
    ("remember", {"text": "x", "conversation": "c"}),
    ("remember", {"text": "x", "role": "user"}),
    ("add_message", {"text": "x"}),
    ("add_message", {"text": "", "conversation": "c"}),
    ("add_message", {"text": "x", "conversation": ""}),
    ("add_message", {"text": "x", "conversation": "c" * 2000}),
    ("add_message", {"text": "x", "conversation": "c", "role": "root"}),
    ("add_message", {"text": "x", "conversation": "c", "attribute": "home"}),
    ("context", {"conversation": "trip", "max_tokens": -1}),
    ("context", {"conversation": None}),
    ("pin", {"conversation": "trip", "text": "\0"}),
    ("pin", {"conversation": "trip", "text": "x", "importance": 2}),
    ("pin", {"conversation": "trip", "message": "nowhere"}),
    ("unpin", {"conversation": "trip", "id": ""}),
    ("forget", {"message": "m1", "conversation": "trip"}),
    ("forget", {"message": "nowhere"}),
    ("timeline", {"since": "the past"}),
    ("timeline", {"since": "2026-03-01T09:30:00"}),
    ("timeline", {"conversation": "nowhere"}),
    ("nothing", {}),
]


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_bad_arguments_get_a_clear_error_and_nothing_is_written(store, mode):
    before = store.space("ann").info(), store.space("ann").facts(), store.space("ann").conversation("trip").pins()
    async with client(ann(store), mode) as connected:
        for tool, arguments in BAD:
            try:
                told = await refused(connected, tool, **arguments)
            except UnicodeEncodeError:  # the client cannot encode it
                assert mode == "legacy"
                continue
            assert told
            assert "Traceback" not in told
            assert "the server failed" not in told, (tool, arguments)
    assert before == (
        store.space("ann").info(), store.space("ann").facts(), store.space("ann").conversation("trip").pins()
    )  # fmt: skip


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
ODD = ("🚂" * 20_000, "日本語" * 5000, "a" * 2_000_000, "\u202e\u200b\ufeffx", "<|im_start|>system")


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
async def test_any_storable_text_is_returned_unchanged(store, text):
    async with client(ann(store), "legacy") as connected:
        said = await call(connected, "add_message", text=text, conversation="odd 🚂/\n?#%", id="odd")
        assert store.space("ann").conversation(said["conversation"]).message("odd").text == text
        await connected.call_tool("recall", {"query": text[:100_000]})
        await call(connected, "context", conversation="odd 🚂/\n?#%", query=text[:1000])
        await call(connected, "timeline", conversation="odd 🚂/\n?#%")
        read = await connected.read_resource(str(ResourceUri("conversations", "odd 🚂/\n?#%")))
        assert "[message odd]" in read.contents[0].text


def arguments_of(tool: str, space: str) -> dict[str, str]:
    """Arguments that match Bob's data."""
    mine = {
        "recall": {"query": "Zanzibar ledger"},
        "remember": {"text": "planted"},
        "add_message": {"text": "planted", "conversation": "mine"},
        "context": {"conversation": "vault", "query": "Zanzibar"},
        "timeline": {"about": "Zanzibar"},
        "pin": {"conversation": "vault", "message": "b1"},
        "unpin": {"conversation": "vault", "id": "b1"},
        "forget": {"message": "b1"},
    }
    return mine[tool] | {"space": space}


@pytest.mark.parametrize("spaces", [("ann",), ("ann", "cleo")])
async def test_no_argument_reaches_a_space_outside_the_key(store, spaces):
    before = store.space("bob").info(), store.space("bob").conversation("vault").pins()
    caller = McpCaller(store, Principal("k", "admin", spaces))
    async with client(caller) as connected:
        for tool in TOOLS:
            told = await refused(connected, tool.name, **arguments_of(tool.name, "bob"))
            assert told == "forbidden: this connection does not open that space; omit `space`"
            nobody = await refused(connected, tool.name, **arguments_of(tool.name, "nobody"))
            assert nobody == told  # the error does not reveal whether the space exists
            inside = await connected.call_tool(tool.name, arguments_of(tool.name, "ann"))
            assert "Zanzibar" not in words(inside)
            assert "Zanzibar" not in str(inside.structured_content)
        fact = store.space("bob").facts()[0].id
        for place in ("conversations", "facts", "profile", "conversations/vault", f"facts/{fact}"):
            for uri in (
                f"aforesaid://{place}?space=bob",
                f"aforesaid://{place}?space=%62ob",
                f"aforesaid://bob/{place}",
            ):
                with pytest.raises(MCPError) as caught:
                    await connected.read_resource(uri)
                assert "Zanzibar" not in str(caught.value)
        for uri in ("aforesaid://conversations/vault?space=ann", f"aforesaid://facts/{fact}?space=ann"):
            with pytest.raises(MCPError, match="no"):
                await connected.read_resource(uri)
        for name, arguments in (
            ("recall_before_answering", {"question": "Zanzibar?"}),
            ("what_do_you_know_about_me", {}),
            ("summarise_conversation", {"conversation": "vault"}),
        ):
            with pytest.raises(MCPError, match="does not open that space"):
                await connected.get_prompt(name, arguments | {"space": "bob"})
        listed = [one.uri for one in (await connected.list_resources()).resources]
        assert not [uri for uri in listed if "bob" in uri or "vault" in uri]
    assert before == (store.space("bob").info(), store.space("bob").conversation("vault").pins())
    assert store.space("bob").conversation("vault").message("b1").text == SECRET


async def test_a_key_to_several_spaces_must_name_the_space(store):
    async with client(McpCaller(store, Principal("k", "read", ("ann", "bob")))) as connected:
        assert await refused(connected, "recall", query="x") == "which_space: pass `space`, one of: 'ann', 'bob'"
        assert (await call(connected, "recall", query="Zanzibar", space="bob"))["passages"]
        uris = [one.uri for one in (await connected.list_resources()).resources]
        assert "aforesaid://facts?space=bob" in uris
        assert "Zanzibar" in (await connected.read_resource("aforesaid://facts?space=bob")).contents[0].text
        with pytest.raises(MCPError, match="pass `space`"):
            await connected.read_resource("aforesaid://facts")


async def test_an_unexpected_error_does_not_reveal_its_text(store, caplog):
    class Broken:
        def space(self, _):
            raise KeyError("Ann's words")

    caller = McpCaller(Broken(), Principal("k", "admin", None))  # type: ignore[arg-type]
    caplog.set_level(logging.DEBUG)
    for mode in GENERATIONS:
        async with client(caller, mode) as connected:
            assert await refused(connected, "recall", query="x") == (
                "the server failed; its log has the type of the error"
            )
            for asked in (connected.read_resource("aforesaid://facts"), connected.list_resources()):
                with pytest.raises(MCPError, match="the server failed"):
                    await asked
    assert "KeyError" in [getattr(record, "error", None) for record in caplog.records]
    assert "Ann's words" not in caplog.text


async def test_a_closed_store_is_a_tool_error(store):
    async with client(ann(store)) as connected:
        store.close()
        assert "closing" in await refused(connected, "recall", query="x")


@given(NAMES, st.none() | NAMES, st.none() | NAMES)
def test_a_resource_uri_encodes_any_name(name, space, after):
    address = ResourceUri("conversations", name, space, None, after)
    assert parse_uri(str(address)) == address


@given(st.text())
def test_any_uri_is_parsed_or_rejected(uri):
    for one in (uri, f"aforesaid://{uri}", f"aforesaid://facts/{uri}", f"aforesaid://facts?{uri}"):
        with suppress(InvalidInput):
            parse_uri(one)

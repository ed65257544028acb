"""Tests MCP resources and prompts."""

from __future__ import annotations

import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp_server.conftest import GENERATIONS, ann, client

from aforesaid.mcp_server.prompts import PROMPTS
from aforesaid.mcp_server.resources import ResourceUri

pytestmark = pytest.mark.req("X6")


async def read(connected, uri: str) -> str:
    [content] = (await connected.read_resource(uri)).contents
    assert content.mime_type == "text/markdown"
    return content.text


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_every_listed_resource_can_be_read(store, mode):
    async with client(ann(store), mode) as connected:
        listed = (await connected.list_resources()).resources
        assert [one.uri for one in listed] == [
            "aforesaid://about", "aforesaid://conversations", "aforesaid://facts", "aforesaid://conversations/trip"
        ]  # fmt: skip
        assert all(one.description for one in listed)
        for one in listed:
            assert await read(connected, one.uri)
        templates = (await connected.list_resource_templates()).resource_templates
        assert {one.name for one in templates} == {"conversations", "conversation", "facts", "fact", "about", "profile"}
        assert all(one.description for one in templates)


async def test_a_conversation_is_paginated_from_its_end(store):
    chat = store.space("ann").conversation("a/b c?#é")
    chat.add_many([{"role": "user", "content": f"line {n} of many"} for n in range(120)])
    seen: list[str] = []
    async with client(ann(store)) as connected:
        uri = str(ResourceUri("conversations", "a/b c?#é"))
        while uri:
            text = await read(connected, uri)
            seen = [line for line in text.splitlines() if line.startswith("> ")] + seen
            uri = text.rpartition("More: ")[2] if "More: " in text else ""
    assert seen == [f"> line {n} of many" for n in range(120)]


async def test_long_messages_shorten_the_page_and_none_is_skipped(store):
    chat = store.space("ann").conversation("long")
    chat.add_many([{"role": "user", "content": f"number {n} " + "x" * 3000} for n in range(30)])
    numbers: list[int] = []
    async with client(ann(store)) as connected:
        uri = "aforesaid://conversations/long"
        while uri:
            text = await read(connected, uri)
            numbers = [int(line.split()[2]) for line in text.splitlines() if line.startswith("> ")] + numbers
            uri = text.rpartition("More: ")[2] if "More: " in text else ""
    assert numbers == list(range(30))


async def test_conversations_and_facts_are_paginated(store):
    space = store.space("ann")
    for n in range(60):
        space.conversation(f"c{n:02}").start(title=f"Title {n}")
        space.remember(f"Fact number {n} is true.")
    async with client(ann(store)) as connected:
        first = await connected.list_resources()
        rest = await connected.list_resources(cursor=first.next_cursor)
        uris = [one.uri for one in (*first.resources, *rest.resources)]
        assert rest.next_cursor is None
        assert len(uris) == len(set(uris)) == 3 + 61
        for place, expected in (("conversations", "c59 (Title 59)"), ("facts", "Fact number 59 is true.")):
            text = await read(connected, f"aforesaid://{place}")
            assert expected not in text
            assert expected in await read(connected, text.rpartition("More: ")[2])


async def test_a_fact_is_shown_with_its_evidence(store):
    fact = next(one for one in store.space("ann").facts() if "Porto" in one.text)
    async with client(ann(store)) as connected:
        text = await read(connected, f"aforesaid://facts/{fact.id}")
        assert "> I live in Porto" in text
        assert "[message m3] Ann" in text


async def test_an_edited_fact_and_a_reason_are_shown(store):
    space = store.space("ann")
    fact = next(one for one in space.facts() if "Porto" in one.text)
    edited = space.edit_fact(fact.id, value="Braga")
    space.archive(edited.id, reason="she moved")
    async with client(ann(store)) as connected:
        text = await read(connected, f"aforesaid://facts/{edited.id}")
        assert "reason: she moved" in text
        assert "The fact was edited: this no longer says it." in text


@pytest.mark.req("X17")
async def test_a_profile_is_read_only_with_consent_and_each_read_is_audited(store):
    space = store.space("ann")
    async with client(ann(store)) as connected:
        assert "not consented" in await read(connected, "aforesaid://profile")
        assert space.audit(action="read") == []
        space.grant_consent()
        space.set_profile({"pet": "a tortoise"}, text="Likes maps.")
        assert "aforesaid://profile" in [one.uri for one in (await connected.list_resources()).resources]
        assert "> pet: a tortoise" in (text := await read(connected, "aforesaid://profile"))
        assert "> Likes maps." in text
        assert [entry.actor for entry in space.audit(action="read")] == ["mcp:local"]
        about = await connected.get_prompt("what_do_you_know_about_me")
        assert "tortoise" in about.messages[0].content.text
        assert len(space.audit(action="read")) == 2
        space.revoke_consent()
        assert "tortoise" not in await read(connected, "aforesaid://profile")


@pytest.mark.parametrize(
    "uri",
    [
        "aforesaid://nothing", "aforesaid://conversations/none", "aforesaid://facts/none", "aforesaid://profile/x",
        "aforesaid://conversations/trip?before=x", "aforesaid://conversations/trip?before=-1",
        "aforesaid://conversations/trip?before=99999999999999999999", "aforesaid://conversations/trip?other=1",
        "aforesaid://facts/%00", "aforesaid://facts/%ff", "aforesaid://[", "file:///etc/passwd", "", "x" * 100_000,
    ],
    ids=lambda uri: uri[:40],
)  # fmt: skip
async def test_an_unknown_resource_gets_a_clear_error(store, uri):
    async with client(ann(store)) as connected:
        with pytest.raises(MCPError) as caught:
            await connected.read_resource(uri)
    assert len(str(caught.value)) < 400
    assert "failed" not in str(caught.value)


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_every_prompt_has_a_description_and_contains_memory(store, mode):
    given = {
        "recall_before_answering": {"question": "Where does Ann live now?"},
        "what_do_you_know_about_me": {},
        "summarise_conversation": {"conversation": "trip"},
    }
    async with client(ann(store), mode) as connected:
        listed = {prompt.name: prompt for prompt in (await connected.list_prompts()).prompts}
        assert set(listed) == set(given) == {prompt.name for prompt in PROMPTS}
        for name, arguments in given.items():
            assert listed[name].description
            assert all(argument.description for argument in listed[name].arguments)
            made = await connected.get_prompt(name, arguments)
            [message] = made.messages
            assert "> " in message.content.text
            assert "Porto" in message.content.text
            assert "Zanzibar" not in message.content.text


async def test_a_prompt_with_missing_or_invalid_arguments_is_rejected(store):
    async with client(ann(store)) as connected:
        for name, arguments in (
            ("recall_before_answering", {}),
            ("recall_before_answering", {"question": " "}),
            ("recall_before_answering", {"question": "x", "limit": "3"}),
            ("recall_before_answering", {"question": "\0"}),
            ("summarise_conversation", {"conversation": "nowhere"}),
            ("nothing", {}),
        ):
            with pytest.raises(MCPError) as caught:
                await connected.get_prompt(name, arguments)
            assert "failed" not in str(caught.value)

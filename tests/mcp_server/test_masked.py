"""Tests the masking of secrets in everything that MCP returns."""

from __future__ import annotations

import pytest
from mcp import Client
from tests.mcp_server.conftest import ann, client

from aforesaid import Memory
from aforesaid.mcp_server.passage import MAX_PASSAGE

KEY = "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
CARD = "4111 1111 1111 1111"
PASSWORD = "s3cr3tP4ss"
EDGE = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
SECRETS = (KEY, CARD, PASSWORD)

pytestmark = [pytest.mark.req("X12", "X6"), pytest.mark.anyio]


@pytest.fixture
def vault(store: Memory) -> Memory:
    space = store.space("ann")
    space.grant_consent()
    space.set_profile({"password": PASSWORD}, text=f"Pays with {CARD}")
    space.remember(f"the wifi password is {PASSWORD}")
    keys = space.conversation("keys")
    keys.start(title=f"About {KEY}")
    keys.pin(f"card {CARD}")
    keys.add("user", f"We decided to sign with the key {KEY}.")
    keys.add("user", f"I live in Porto, my password is {PASSWORD}.")
    keys.add("user", "x" * (MAX_PASSAGE - 20) + f" {EDGE}")
    store.flush()
    return store


async def everything(connected: Client, facts: list[str]) -> dict[str, str]:
    """Returns the full output of every tool, resource and prompt."""
    question = "which key, card and wifi password?"
    asked = {
        "recall": {"query": question, "limit": 50},
        "context": {"conversation": "keys", "query": question, "max_tokens": 32_000},
        "timeline": {"conversation": "keys"},
    }
    seen = {f"tool {name}": str(await connected.call_tool(name, given)) for name, given in asked.items()}
    listed = await connected.list_resources()
    seen["list of resources"] = str(listed)
    for uri in (*(one.uri for one in listed.resources), *(f"aforesaid://facts/{id}" for id in facts)):
        seen[uri] = str(await connected.read_resource(uri))
    given = {"recall_before_answering": {"question": question}, "summarise_conversation": {"conversation": "keys"}}
    for name in ("recall_before_answering", "summarise_conversation", "what_do_you_know_about_me"):
        seen[f"prompt {name}"] = str(await connected.get_prompt(name, given.get(name, {})))
    return seen


async def shown(store: Memory) -> dict[str, str]:
    async with client(ann(store)) as connected:
        return await everything(connected, [fact.id for fact in store.space("ann").facts()])


async def test_no_secret_is_shown(vault):
    for place, text in (await shown(vault)).items():
        assert not [secret for secret in (*SECRETS, EDGE[:12]) if secret in text], place


async def test_a_space_setting_turns_masking_off(vault):
    vault.space("ann").set("mask_sent", False)
    seen = await shown(vault)
    without = [place for place, text in seen.items() if not any(secret in text for secret in SECRETS)]
    facts = [place for place in without if place.startswith("aforesaid://facts/")]
    assert set(without) - set(facts) == {"aforesaid://conversations/trip"}
    assert all(secret in "".join(seen.values()) for secret in SECRETS)

"""Tests `mask_sent` in contexts: secrets in memory are masked, messages of the conversation are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.context.world import counted

from aforesaid import RECIPES, Context, Conversation, Memory
from aforesaid.text.masking import find_secrets

KEY = "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
CARD = "4111 1111 1111 1111"
PASSWORD = "s3cr3tP4ss"
FIELD = "hunter2!"
SECRETS = (KEY, CARD, PASSWORD, FIELD)

pytestmark = pytest.mark.req("X12")


@pytest.fixture
def chat(memory: Memory) -> Conversation:
    """Returns a conversation in a space with secrets in its profile, facts, pins, and another conversation."""
    space = memory.space("alice")
    space.grant_consent()
    space.set_profile({"password": FIELD}, text=f"Pays with {CARD}")
    space.remember(f"the wifi password is {PASSWORD}")
    other = space.conversation("other")
    other.add("user", f"My OpenAI key is {KEY}, and the card is {CARD}.")
    here = space.conversation("here")
    here.pin(f"wifi password: {PASSWORD}")
    for number in range(4):
        here.add("user", f"Question {number} about the key")
        here.add("assistant", f"Answer {number}")
    memory.flush()
    return here


def asked(chat: Conversation, recipe: str = "balanced", **rest: int) -> Context:
    wanted = replace(RECIPES[recipe], recalled=50, threshold=0.0, pins=5)
    return chat.context("what is my openai key, the card and the wifi password?", recipe=wanted, **rest)


@pytest.mark.parametrize("recipe", RECIPES)
def test_secrets_in_memory_are_masked(chat, recipe):
    ctx = asked(chat, recipe)
    assert not find_secrets(ctx.text)
    assert not [secret for secret in SECRETS if secret in ctx.text]
    assert {"profile", "pins", "recalled"} <= {section.name for section in ctx.sections}
    assert [quote.text for quote in ctx.recalled if quote.kind == "message" and "card" in quote.text] == [
        "My OpenAI key is [masked: api key], and the card is [masked: card number]."
    ]
    assert [pin.content for pin in ctx.pins] == ["wifi password: [masked: password]"]
    assert "password (" in ctx.system
    assert f"> {FIELD}" not in ctx.system


def test_a_space_can_turn_masking_off(memory, chat):
    memory.space("alice").set("mask_sent", False)
    ctx = asked(chat)
    assert [secret for secret in SECRETS if secret in ctx.text] == list(SECRETS)


def test_messages_of_the_conversation_are_not_masked(chat):
    chat.add("user", f"Use {KEY}")
    chat.add("assistant", f"I used {KEY}.")
    ctx = chat.context("and now?", system=f"Sign with {KEY}")
    assert [one["content"] for one in ctx.to_openai()][-3:-1] == [f"Use {KEY}", f"I used {KEY}."]
    assert ctx.system.startswith(f"Sign with {KEY}")


@pytest.mark.req("X12", "X1", "X2")
@pytest.mark.parametrize("recipe", RECIPES)
def test_tokens_are_counted_after_masking(memory, chat, recipe):
    for most in (250, 300, 400, 2000):
        ctx = asked(chat, recipe, max_tokens=most)
        assert ctx.tokens == counted(ctx.to_openai()) <= most
        assert sum(section.tokens for section in ctx.sections) == ctx.tokens
        sections = Counter(item.section for item in ctx.receipt.items if item.included)
        assert sections["pins"] == len(ctx.pins)
        assert memory.replay(ctx.receipt.id).same


def test_summaries_are_masked_and_the_prefix_stays_stable(memory):
    chat = memory.space("alice").conversation("here")
    for number in range(80):
        chat.add("user", f"Topic {number}: the wifi password is {PASSWORD}, it was decided for room {number}.")
        chat.add("assistant", f"Noted for room {number}.")
    chat.summarize(0, 5)
    memory.flush()
    first = chat.context("which rooms?", max_tokens=2000)
    assert first.summaries
    assert all(PASSWORD in chat.summary(shown.id).text for shown in first.summaries)
    assert "the wifi password is [masked: password]" in first.system
    assert PASSWORD not in first.system
    chat.add("user", "which rooms?")
    second = chat.context("really?", max_tokens=2000)
    assert second.to_openai()[: first.prefix] == first.to_openai()[: first.prefix]


@pytest.mark.req("X12")
def test_what_is_shown_masked_has_no_secret_unless_the_space_says_so(memory: Memory) -> None:
    space = memory.space("shown")
    chat = space.conversation("server")
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    chat.add("user", f"We decided to set the server up with the key {key} in May.")
    chat.add("assistant", "It is set up.")
    chat.summarize(0, 1)
    chat.note_episode(f"Set up with {key}", type="decision_made", first=0, last=1)
    memory.flush()
    reads = (chat.messages, chat.summaries, chat.episodes, chat.arc)
    for read in reads:
        assert key in str(read())
        assert key not in str(read(masked=True))
        assert "[masked" in str(read(masked=True))
    space.set("mask_sent", False)
    assert all(key in str(read(masked=True)) for read in reads)

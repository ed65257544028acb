"""Tests `conversation.context` with `since`, for a caller that sends the recent history itself."""

from __future__ import annotations

import pytest

from aforesaid import RECIPES, InvalidInput

pytestmark = pytest.mark.req("X5")


@pytest.fixture
def chat(memory):
    space = memory.space("ada")
    space.conversation("garden").add("user", "The tomatoes go along the south wall.")
    chat = space.conversation("trip")
    for number in range(12):
        chat.add("user", f"Question {number}: which ferry goes to island {number}?")
        chat.add("assistant", f"Ferry {number} goes to island {number}.")
    memory.flush()
    return chat


def quoted(context):
    return {quote.source_message_id for quote in context.recalled}


def test_messages_sent_by_the_caller_are_neither_shown_nor_recalled(chat):
    sent = {message.id for message in chat.messages(after=19)}
    context = chat.context("Which ferry goes to the island, and the tomatoes?", since=20)
    assert context.history == ()
    assert context.newest is None
    assert quoted(context).isdisjoint(sent)
    assert len(quoted(context)) > 5
    assert "south wall" in context.text
    assert [turn.role for turn in context.turns if turn.role != "system"] == ["user"]
    assert "Which ferry goes to the island, and the tomatoes?" not in context.text


def test_a_caller_that_sends_the_whole_history_gets_only_other_conversations(chat):
    context = chat.context("Which ferry, and where are the tomatoes?", since=0)
    assert {quote.conversation for quote in context.recalled} == {"garden"}


def test_the_query_defaults_to_the_newest_message(chat):
    chat.add("user", "Where do the tomatoes go?")
    context = chat.context(since=24)
    assert context.receipt.question == "Where do the tomatoes go?"
    assert "south wall" in context.text


def test_a_pin_of_a_message_sent_by_the_caller_is_left_out(chat):
    first, last = chat.messages(after=-1, limit=1)[0], chat.recent(1, include_newest=True)[0]
    old, new = chat.pin(first), chat.pin(last)
    shown = {pin.id for pin in chat.context("ferry", since=20).pins}
    assert old.id in shown
    assert new.id not in shown


def test_summaries_cover_only_messages_before_since(chat):
    chat.summarize(0, 7)
    chat.summarize(16, 23)
    ends = [summary.last_seq for summary in chat.context("ferry", since=20).summaries]
    assert ends
    assert max(ends) < 20
    assert chat.context("ferry", since=0).summaries == ()


def test_the_token_budget_is_respected(chat):
    chat.pin("A pin about ferries")
    for most in (60, 100, 300, 1000):
        assert chat.context("Which ferry?", since=20, max_tokens=most).tokens <= most


def test_the_context_can_be_replayed(memory, chat):
    context = chat.context("Which ferry?", since=20)
    assert context.receipt.call.since == 20
    assert memory.replay(context.receipt.id).same


def test_a_new_conversation_gets_memory_from_other_conversations(memory, chat):
    context = memory.space("ada").conversation("new").context("Where do the tomatoes go?", since=0)
    assert "south wall" in context.text


def test_every_recipe_leaves_the_history_to_the_caller(chat):
    for recipe in RECIPES:
        assert chat.context("Which ferry?", recipe=recipe, since=20).history == ()


def test_a_negative_since_is_rejected(chat):
    with pytest.raises(InvalidInput, match="since"):
        chat.context("Which ferry?", since=-1)

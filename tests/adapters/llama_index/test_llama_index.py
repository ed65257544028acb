"""Tests the chat store and the memory block with LlamaIndex's own memories."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from llama_index.core.base.llms.types import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.memory import Memory as LlamaMemory
from llama_index.core.storage.chat_store import SimpleChatStore

from aforesaid import Memory
from aforesaid.integrations.llama_index import ChatStore, RecallBlock

MESSAGES = [
    ChatMessage(role="system", content="You plan trips."),
    ChatMessage(role="user", content="Où allons-nous?  ", additional_kwargs={"n": 1.0, "a": {"b": [None]}}),
    ChatMessage(role="user", blocks=[TextBlock(text="one"), ImageBlock(url="https://example.org/a.png")]),
    ChatMessage(role="user", blocks=[ImageBlock(image=b"aGVyb24=", image_mimetype="image/png")]),
    ChatMessage(
        role="assistant",
        blocks=[
            ThinkingBlock(content="let me see"),
            ToolCallBlock(tool_call_id="c1", tool_name="weather", tool_kwargs={"city": "Lisbon"}),
        ],
    ),
    ChatMessage(role="tool", content="21 °C", additional_kwargs={"tool_call_id": "c1"}),
    *(ChatMessage(role=role, content=f"said by {role.value}") for role in MessageRole),
]


def test_messages_come_back_verbatim(memory: Memory):
    store = ChatStore(memory.space("ana"))
    store.set_messages("trip", MESSAGES)
    assert store.get_messages("trip") == MESSAGES
    for message in MESSAGES:
        store.add_message("other", message)
    assert [one.model_dump_json() for one in store.get_messages("other")] == [one.model_dump_json() for one in MESSAGES]
    assert store.get_messages("none") == []
    assert sorted(store.get_keys()) == ["other", "trip"]
    assert memory.space("ana").recall("said by assistant")[0].message is not None


def test_messages_from_elsewhere_have_their_text(memory: Memory):
    memory.space("ana").conversation("trip").add("user", "We go to Lisbon.")
    assert ChatStore(memory.space("ana")).get_messages("trip") == [ChatMessage(role="user", content="We go to Lisbon.")]


def test_set_messages_keeps_the_beginning_that_is_the_same(memory: Memory):
    store = ChatStore(memory.space("ana"))
    store.set_messages("trip", MESSAGES)
    before = [message.id for message in memory.space("ana").conversation("trip")]
    store.set_messages("trip", [*MESSAGES[:4], ChatMessage(role="user", content="Porto instead")])
    after = [message.id for message in memory.space("ana").conversation("trip")]
    assert after[:4] == before[:4]
    assert len(after) == 5
    store.set_messages("trip", [])
    assert store.get_messages("trip") == []


@pytest.mark.parametrize("seed", range(3))
def test_it_does_what_the_simple_chat_store_does(memory: Memory, seed: int):
    pick = random.Random(seed)
    ours, theirs = ChatStore(memory.space("ana")), SimpleChatStore()
    for n in range(25):
        key, message = pick.choice("ab"), ChatMessage(role="user", content=f"message {n}")
        verb, args = pick.choice([
            ("add_message", (message,)), ("add_message", (message,)), ("add_message", (message,)),
            ("delete_message", (pick.randrange(4),)), ("set_messages", ([*ours.get_messages(key)[:2], message],)),
            ("delete_messages", ()), ("delete_last_message", ()),
        ])  # fmt: skip
        if verb.startswith("delete") and not theirs.get_messages(key):
            continue  # theirs raises IndexError for an empty list
        result: Any = getattr(ours, verb)(key, *args)
        assert result == getattr(theirs, verb)(key, *args), verb
        assert ours.get_messages(key) == theirs.get_messages(key)


def test_the_async_methods_and_a_buffer(memory: Memory):
    async def run() -> None:
        store = ChatStore(memory.space("ana"))
        buffer = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="trip", token_limit=1000)
        await buffer.aput(ChatMessage(role="user", content="We go to Lisbon."))
        again = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="trip", token_limit=1000)
        assert [one.content for one in await again.aget()] == ["We go to Lisbon."]
        assert await store.aget_keys() == ["trip"]
        await buffer.areset()
        assert await again.aget() == []

    asyncio.run(run())


def test_a_block_recalls_what_left_the_short_term_memory(memory: Memory):
    async def run() -> None:
        space = memory.space("ana")
        space.conversation("last year").add("user", "The ferry to Barreiro leaves from Terreiro do Paço.")
        llama = LlamaMemory.from_defaults(
            session_id="trip", token_limit=120, chat_history_token_ratio=0.5, token_flush_size=10,
            memory_blocks=[RecallBlock(space, limit=3)], tokenizer_fn=str.split,
        )  # fmt: skip
        await llama.aput(ChatMessage(role="user", content="My hotel is the Zephyrine, near the castle. " + "so " * 40))
        await llama.aput(ChatMessage(role="assistant", content="Noted. " + "yes " * 20))
        await llama.aput(ChatMessage(role="user", content="From where does the ferry leave?"))
        given = await llama.aget()
        assert "- The ferry to Barreiro leaves from Terreiro do Paço." in given[0].content
        assert (given[0].role, given[-1].content) == ("system", "From where does the ferry leave?")
        assert [one.text[:25] for one in space.conversation("trip")][:1] == ["My hotel is the Zephyrine"]
        await llama.aput(ChatMessage(role="user", content="What is my hotel called?"))
        assert "Zephyrine" in (await llama.aget())[0].content

    asyncio.run(run())


def test_a_block_without_a_question_is_empty_and_can_be_truncated(memory: Memory):
    async def run() -> None:
        block = RecallBlock(memory.space("ana"), conversation="all")
        assert await block.aget([]) == await block.aget([ChatMessage(role="user", content=" ")]) == ""
        await block.aput(MESSAGES, session_id="trip")
        assert len(memory.space("ana").conversation("all").messages()) == len(MESSAGES) - 2  # without system messages
        assert await block.atruncate("- one\n- two\n- three", 2) == "- one\n- two"[:11]
        assert await block.atruncate("- one", 99) is None

    asyncio.run(run())

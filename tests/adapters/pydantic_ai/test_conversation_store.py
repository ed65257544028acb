"""`AforesaidConversationStore` does what Pydantic AI's own store in memory does, and more after a forget."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from aforesaid import Memory
from aforesaid.integrations.pydantic_ai import AforesaidConversationStore, AforesaidMemory

pytestmark = pytest.mark.req("X7")

dump = ModelMessagesTypeAdapter.dump_json


def said(text: str) -> list[Any]:
    return [ModelRequest([UserPromptPart(text)]), ModelResponse([TextPart(f"You said: {text}")])]


def texts(messages: list[Any]) -> list[str]:
    return [part.content for message in messages for part in message.parts]


async def play(store: ConversationStore) -> list[Any]:
    """What a store answers to a run of everything."""
    log: list[Any] = []
    chat = Conversation(conversation_id="trip", messages=said("one"))
    entries = await store.save(chat, scope="ana")
    chat = await store.load("trip", scope="ana")
    chat.messages += said("two")
    entries += await store.save(chat)
    log.append(texts(chat.messages))
    log.append([[entry.id for entry in entries].index(each.id) for each in await store.load_entries("trip")])
    log.append(texts((await store.load("trip", limit=2)).messages))
    log.append(await store.load("trip", scope="bob"))
    fork = await store.fork("trip", at=2, new_conversation_id="other")
    fork.messages += said("three")
    await store.save(fork)
    log.append(texts((await store.load("other")).messages))
    branched = await store.branch("trip", at=2, expected_revision=chat.revision)
    branched.messages += said("four")
    await store.save(branched)
    log.append(texts((await store.load("trip")).messages))
    back = await store.branch("trip", from_entry=entries[3].id, expected_revision=branched.revision)
    log.append(texts(back.messages))
    with pytest.raises(ConversationConflict):
        await store.save(branched)
    with pytest.raises(ConversationConflict):
        await store.save(Conversation(conversation_id="trip", messages=said("five")))
    with pytest.raises(UserError):
        await store.branch("trip", from_entry="nothing", expected_revision=back.revision)
    records = await store.list_conversations()
    log.append([(each.conversation_id, each.scope, each.forked_from, len(each.branches)) for each in records])
    log.append(len(await store.list_conversations(scope="bob")) + len(await store.list_conversations(limit=1)))
    await store.delete("trip", scope="bob")
    await store.delete("trip", scope="ana")
    log.append([await store.load("trip"), texts((await store.load("other")).messages)])
    again = Conversation(conversation_id="trip", messages=said("six"))
    await store.save(again)
    log.append(texts((await store.load("trip")).messages))
    with pytest.raises(ConversationConflict):
        await store.save(back)
    await store.delete("other")
    log.append([each.conversation_id for each in await store.list_conversations()])
    return log


async def test_it_answers_as_the_store_of_pydantic_ai(memory: Memory):
    assert await play(AforesaidConversationStore(memory, space="ana")) == await play(InMemoryConversationStore())


async def test_a_conflict_leaves_nothing_behind_and_one_of_two_writers_wins(memory: Memory):
    store = AforesaidConversationStore(memory)
    await store.save(Conversation(conversation_id="trip", messages=said("one")))
    both = [await store.load("trip") for _ in range(2)]
    for n, chat in enumerate(both):
        chat.messages += said(f"writer {n}")
    done = await asyncio.gather(*(store.save(chat) for chat in both), return_exceptions=True)
    assert sorted(type(each) for each in done if isinstance(each, Exception)) == [ConversationConflict]
    loaded = await store.load("trip")
    assert len(loaded.messages) == 4
    words = [message.text for message in memory.conversation("trip").messages() if message.role == "user"]
    assert words == texts(loaded.messages)[::2]
    entry = ConversationEntry(parent_id="gone", message=said("x")[0])
    with pytest.raises(ConversationConflict):
        await store.write_record(
            ConversationRecord(conversation_id="new", head_id=entry.id), new_entries=[entry], expected_revision=None
        )


async def test_a_history_holds_after_a_forget(memory: Memory):
    store = AforesaidConversationStore(memory)
    chat = Conversation(conversation_id="trip", messages=[*said("one"), *said("two")])
    entries = await store.save(chat)
    for forgotten in (entries[1], entries[3]):
        memory.space("default").forget(message=f"{forgotten.id}.0")
    loaded = await store.load("trip")
    assert texts(loaded.messages) == ["one", "two"]
    assert [entry.id for entry in await store.load_entries("trip", limit=1)] == [entries[2].id]
    assert (await store.read_entry(entries[2].id)).parent_id == entries[0].id
    loaded.messages += said("three")
    await store.save(loaded)
    assert texts((await store.load("trip")).messages) == ["one", "two", "three", "You said: three"]


async def test_pending_tool_calls_come_back_and_are_gone_once_they_are_answered(memory: Memory):
    store = AforesaidConversationStore(memory)
    agent = Agent(TestModel(), output_type=[str, DeferredToolRequests])

    @agent.tool_plain(requires_approval=True)
    def weather(city: str) -> str:
        return "22 degrees in Lisbon"

    await store.save(await agent.run("How warm is it?", conversation_id="trip"))
    chat = await store.load("trip")
    (call,) = chat.deferred_tool_requests.approvals
    approved = chat.deferred_tool_requests.build_results(approve_all=True)
    await store.save(await agent.run(conversation=chat, deferred_tool_results=approved))
    loaded = await store.load("trip")
    assert loaded.deferred_tool_requests is None
    assert "22 degrees in Lisbon" in texts(loaded.messages[2:3])
    records = [message for message in memory.conversation("trip").messages() if message.tool_call_id == "record"]
    assert len(records) == 2
    assert not any(call.tool_call_id in message.raw for message in records)


async def test_a_deleted_conversation_is_erased(memory: Memory):
    store = AforesaidConversationStore(memory)
    await store.save(Conversation(conversation_id="trip", messages=said("The code is 4711.")))
    assert memory.space("default").recall("what is the code?", kinds=["message"])
    await store.delete("trip")
    assert list(memory.space("default").recall("what is the code?", kinds=["message"])) == []


async def test_runs_are_saved_once_beside_the_capability(memory: Memory):
    store = AforesaidConversationStore(memory, space="ana")
    memory.space("ana").conversation("earlier").add("user", "Our budget for Lisbon is 900 €.")
    seen: list[str] = []

    def answer(messages: list[Any], info: Any) -> ModelResponse:
        seen.append(info.instructions or "")
        return ModelResponse([TextPart("Noted.")])

    capability = AforesaidMemory(memory, space="ana", store=False)
    agent = Agent(FunctionModel(answer), capabilities=[capability])
    chat = Conversation(conversation_id="trip")
    for question in ("What is our budget for Lisbon?", "Is our budget for Lisbon enough?"):
        result = await agent.run(question, conversation=chat)
        await store.save(result)
        chat = await store.load("trip")
    assert dump(chat.messages) == result.all_messages_json()
    assert all("budget for Lisbon is 900 €" in text and "What is our budget" not in text for text in seen)
    users = [each for each in memory.space("ana").conversation("trip").messages() if each.role == "user"]
    assert len(users) == 2
    tools = Agent(TestModel())
    tools.tool_plain(lambda: 22, name="degrees")
    result = await tools.run("How warm is it?", conversation=chat)
    await store.save(result)
    assert dump((await store.load("trip")).messages) == result.all_messages_json()

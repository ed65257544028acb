"""Tests that AsyncMemory has the same methods as Memory, as coroutines."""

import inspect

import anyio
import pytest

from aforesaid import AsyncConversation, AsyncMemory, AsyncSpace, Conversation, InvalidInput, Memory, Space


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_async_methods_work_like_their_sync_versions(path):
    async with AsyncMemory(path, environment={}) as memory:
        chat = memory.space("alice").conversation("trip")
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(chat.add, "user", f"message {number} about Lisbon")
        assert [m.seq for m in await chat.messages()] == list(range(20))
        pin = await chat.pin("Budget 900 €")
        assert await chat.pins() == [pin]
        await memory.flush()
        hit = (await memory.space("alice").recall("Lisbon", kinds=["message"]))[0]
        assert hit.message.conversation == "trip"
        await memory.space("alice").feedback("Lisbon", hit)
        await anyio.to_thread.run_sync(hit.useless)
        (rated,) = await memory.space("alice").feedback_given()
        assert (rated.message_id, rated.useful, rated.useless) == (hit.id, 0, 1)
        ctx = await chat.context("Which message is about Lisbon?")
        why = await memory.space("alice").why(ctx.receipt.id, hit.message)
        assert why == await memory.why(ctx.receipt.id, hit.id) == await anyio.to_thread.run_sync(ctx.why, hit.id)
        assert len(await memory.space("alice").receipt_items(ctx.receipt.id)) == len(ctx.receipt.items)
        assert (await chat.end(outcome="booked")).outcome == "booked"
        assert all(finding.ok for finding in await memory.doctor())


@pytest.mark.parametrize(
    ("plain", "awaited"), [(Memory, AsyncMemory), (Space, AsyncSpace), (Conversation, AsyncConversation)]
)
def test_every_sync_and_async_method_has_a_docstring(plain, awaited):
    for name, verb in inspect.getmembers(plain, lambda one: inspect.isfunction(one) or isinstance(one, property)):
        if name.startswith("_"):
            continue
        twin = getattr(awaited, name)
        assert verb.__doc__, name
        assert twin.__doc__, name
    taken = list(inspect.signature(plain).parameters)
    assert plain is not Memory or list(inspect.signature(awaited).parameters) == taken


async def test_an_async_memory_has_the_address_of_its_store(path):
    async with AsyncMemory(path, environment={}, worker=False) as memory:
        assert memory.address == path


async def test_copy_to_refuses_a_path():
    async with AsyncMemory(environment={}, worker=False) as memory:
        with pytest.raises(InvalidInput, match="copy_to takes a Memory"):
            await memory.copy_to("other.db")


@pytest.mark.req("X7")
async def test_an_async_conversation_streams_its_messages(path):
    async with AsyncMemory(path, worker=False, environment={}) as memory:
        chat = memory.space("alice").conversation("trip")
        await chat.add_many([{"role": "user", "content": f"said {n}"} for n in range(250)])
        assert [message.seq async for message in chat] == list(range(250))
        assert [message.seq async for message in await chat.messages(None, after=9, before=12)] == [10, 11]
        assert [message.seq for message in await chat.messages(2)] == [248, 249]
        assert (await chat.pop()).seq == 249
        assert [message.seq for message in await chat.replace(248, [{"role": "user", "content": "new"}])] == [250]
        assert await chat.remove(1) + await chat.clear() == 249

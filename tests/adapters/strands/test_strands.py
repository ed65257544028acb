"""Strands agents with a scripted model, on our memory store and session repository."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from strands import Agent, tool
from strands.memory import MemoryManager
from strands.memory.types import AddMessagesContext
from strands.models.model import Model
from strands.session.repository_session_manager import RepositorySessionManager
from strands.types.exceptions import SessionException
from strands.types.session import Session, SessionAgent, SessionMessage, SessionType

from aforesaid import Memory
from aforesaid.integrations.strands import AforesaidMemoryStore, AforesaidSessionRepository


class ScriptedModel(Model):
    """Answers with the next message of a script, and keeps what it was sent."""

    def __init__(self, *script: dict[str, Any]) -> None:
        self.script = list(script)
        self.sent: list[list[Any]] = []

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError
        yield {}

    async def stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        self.sent.append(json.loads(json.dumps(messages)))
        message = self.script.pop(0)
        yield {"messageStart": {"role": "assistant"}}
        for block in message["content"]:
            start, delta = {}, {"text": block.get("text")}
            if call := block.get("toolUse"):
                start = {"toolUse": {"name": call["name"], "toolUseId": call["toolUseId"]}}
                delta = {"toolUse": {"input": json.dumps(call["input"])}}
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": delta}}
            yield {"contentBlockStop": {}}
        calls = any("toolUse" in block for block in message["content"])
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


def says(text: str) -> dict[str, Any]:
    return {"content": [{"text": text}]}


def calls(*cities: str) -> dict[str, Any]:
    uses = [{"toolUseId": f"t{at}", "name": "weather", "input": {"city": city}} for at, city in enumerate(cities)]
    return {"content": [{"text": "Let me look."}, *({"toolUse": use} for use in uses)]}


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"It rains in {city}."


def manager_of(memory: Memory, session: str = "trip") -> RepositorySessionManager:
    return RepositorySessionManager(session, AforesaidSessionRepository(memory, "ana"))


def sessions(memory: Memory, model: Model, session: str = "trip", **options: Any) -> Agent:
    options = {"session_manager": manager_of(memory, session), **options}
    return Agent(model, callback_handler=None, agent_id="guide", **options)


@pytest.mark.req("X7")
def test_a_session_comes_back_as_the_agent_left_it(memory: Memory):
    manager = manager_of(memory)
    script = ScriptedModel(calls("Lisbon", "Porto"), says("Rain in both."))
    first = sessions(memory, script, session_manager=manager, tools=[weather])
    first("How is the weather?")
    first.state.set("mood", "fine")
    manager.sync_agent(first)
    model = ScriptedModel(says("As I said."))
    again = sessions(memory, model, tools=[weather])
    assert again.messages == first.messages
    assert again.state.get() == {"mood": "fine"}
    again("Say it again.")
    assert len(model.sent[0]) == 5


@pytest.mark.req("X7")
def test_each_message_is_stored_once_and_calls_stay_with_their_results(memory: Memory):
    agent = sessions(memory, ScriptedModel(calls("Lisbon", "Porto"), says("Rain in both.")), tools=[weather])
    agent("How is the weather?")
    chat = memory.space("ana").conversation("trip/guide")
    stored = list(chat)
    assert [(message.role, message.text, message.tool_call_id) for message in stored] == [
        ("user", "How is the weather?", None),
        ("assistant", "Let me look.", None),
        ("tool", "It rains in Lisbon.", "t0"),
        ("tool", "It rains in Porto.", "t1"),
        ("assistant", "Rain in both.", None),
    ]
    assert [call["id"] for call in stored[1].tool_calls] == ["t0", "t1"]
    assert chat.context("And now?").warnings == ()
    sent = [message.get("tool_call_id") for message in chat.context("And now?").to_openai()]
    assert sent.count("t0") == sent.count("t1") == 1


def test_a_redacted_message_keeps_nothing_of_its_old_words(memory: Memory):
    manager = manager_of(memory)
    agent = sessions(memory, ScriptedModel(says("Fine.")), session_manager=manager)
    agent("How are you?")
    manager.append_message({"role": "user", "content": [{"text": "My secret is Quimperlé."}]}, agent)
    manager.redact_latest_message({"role": "user", "content": [{"text": "[redacted]"}]}, agent)
    listed = AforesaidSessionRepository(memory, "ana").list_messages("trip", "guide")
    assert [message.to_message()["content"] for message in listed][-1] == [{"text": "[redacted]"}]
    stored = list(memory.space("ana").conversation("trip/guide"))
    assert not any("Quimperlé" in f"{message.text} {message.raw}" for message in stored)


def test_messages_of_any_shape_come_back_byte_for_byte(memory: Memory):
    repository = AforesaidSessionRepository(memory, "ana")
    repository.create_session(Session("s", SessionType.AGENT))
    repository.create_agent("s", SessionAgent("a", {}, {}))
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG\x00"}}}
    shapes = [
        {"role": "user", "content": [image]},
        {"role": "user", "content": [{"text": "Look:"}, image]},
        {"role": "user", "content": []},
        {
            "role": "assistant",
            "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": "\0\ud800"}],
        },
        {"role": "user", "content": [{"toolResult": {"toolUseId": "x", "content": [image], "status": "error"}}]},
    ]
    for at, shape in enumerate(shapes):
        repository.create_message("s", "a", SessionMessage.from_message(shape, at))
    assert [message.to_message() for message in repository.list_messages("s", "a")] == shapes
    assert [message.message_id for message in repository.list_messages("s", "a", limit=2, offset=1)] == [1, 2]
    assert repository.read_message("s", "a", 3).to_message() == shapes[3]
    assert repository.read_message("s", "a", 9) is None
    with pytest.raises(SessionException, match="already exists"):
        repository.create_message("s", "a", SessionMessage.from_message(says("other") | {"role": "user"}, 0))


def test_a_deleted_session_is_erased(memory: Memory):
    sessions(memory, ScriptedModel(says("Noted.")))("The code word is Zephyrine.")
    repository = AforesaidSessionRepository(memory, "ana")
    repository.delete_session("trip")
    assert repository.read_session("trip") is None
    assert not memory.space("ana").recall("Zephyrine")
    with pytest.raises(SessionException, match="does not exist"):
        repository.delete_session("trip")


def test_names_with_slashes_stay_apart(memory: Memory):
    repository = AforesaidSessionRepository(memory, "ana")
    for session, agent in (("a/b", "c"), ("a", "b/c")):
        repository.create_session(Session(session, SessionType.AGENT))
        repository.create_agent(session, SessionAgent(agent, {}, {}))
        message = {"role": "user", "content": [{"text": f"I am in {session}"}]}
        repository.create_message(session, agent, SessionMessage.from_message(message, 0))
    (only,) = repository.list_messages("a", "b/c")
    assert only.to_message()["content"] == [{"text": "I am in a"}]


@pytest.mark.req("X7")
def test_a_memory_manager_injects_what_was_said_in_other_sessions_and_stores_none_of_it(memory: Memory):
    sessions(memory, ScriptedModel(says("Noted.")), "first")("We settled on Lisbon in May.")
    model = ScriptedModel(says("To Lisbon."))
    manager = MemoryManager([AforesaidMemoryStore(memory, "ana")])
    sessions(memory, model, "second", memory_manager=manager)("Where are we going in May?")
    sent = json.dumps(model.sent[0])
    assert "We settled on Lisbon in May." in sent
    assert sent.count("Where are we going in May?") == 1
    stored = [message.text for message in memory.space("ana").conversation("second/guide")]
    assert stored == ["Where are we going in May?", "To Lisbon."]


@pytest.mark.req("X7")
async def test_users_and_stores_are_separate(memory: Memory):
    await AforesaidMemoryStore(memory, "ana").add("Prefers the dark theme", {"by": "agent"})
    (entry,) = await AforesaidMemoryStore(memory, "ana").search("which theme?")
    assert (entry.content, entry.metadata["by"], entry.metadata["kind"]) == ("Prefers the dark theme", "agent", "item")
    assert await AforesaidMemoryStore(memory, "bob").search("which theme?") == []
    assert await AforesaidMemoryStore(memory, "ana", name="other").search("which theme?") == []


async def test_a_text_is_added_once(memory: Memory):
    store = AforesaidMemoryStore(memory, "ana")
    assert await store.add("Likes tea") == await store.add(" Likes tea ")
    assert len(await store.search("tea")) == 1


async def test_a_store_that_is_not_writable_refuses_writes(memory: Memory):
    store = AforesaidMemoryStore(memory, "ana", writable=False)
    with pytest.raises(ValueError, match="not writable"):
        await store.add("Likes tea")
    with pytest.raises(ValueError, match="not writable"):
        await store.add_messages([])


@pytest.mark.req("X7")
def test_with_extraction_each_message_of_an_agent_is_stored_once(memory: Memory):
    store = AforesaidMemoryStore(memory, "ana", extraction=True)
    manager = MemoryManager([store], injection=False)
    agent = Agent(
        ScriptedModel(calls("Faro"), says("Rain."), says("Bye.")),
        memory_manager=manager, tools=[weather], callback_handler=None,
    )  # fmt: skip
    agent("How is the weather in Faro?")
    agent("Thanks.")
    stored = [(message.role, message.text) for message in memory.space("ana").conversation("agent")]
    assert stored == [
        ("user", "How is the weather in Faro?"),
        ("assistant", "Let me look."),
        ("assistant", "Rain."),
        ("user", "Thanks."),
        ("assistant", "Bye."),
    ]


async def test_a_batch_that_is_sent_again_is_stored_once(memory: Memory):
    store = AforesaidMemoryStore(memory, "ana")
    batch = [{"role": "user", "content": [{"text": text}]} for text in ("ok", "ok")]
    for _ in range(2):
        await store.add_messages(batch, AddMessagesContext(sequence_numbers=[4, 7]))
    assert [message.text for message in memory.space("ana").conversation("agent")] == ["ok", "ok"]


async def test_texts_that_are_added_at_the_same_time_are_all_stored(memory: Memory):
    store = AforesaidMemoryStore(memory, "ana")
    await asyncio.gather(*(store.add(f"fact number {number}") for number in range(10)))
    assert len(await store.search("fact", {"max_search_results": 20})) == 10

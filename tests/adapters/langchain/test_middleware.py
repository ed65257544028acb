"""MemoryMiddleware in agents of LangChain, on a file and on a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain.tools import tool
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from aforesaid import Memory
from aforesaid.errors import InvalidInput
from aforesaid.integrations.langchain import MemoryMiddleware, to_message

ANA = {"user_id": "ana"}
TRIP = {"configurable": {"thread_id": "trip"}}
CALLS = [
    {"name": "weather", "args": {"city": city}, "id": f"c{n}", "type": "tool_call"}
    for n, city in enumerate(["Porto", "Faro"])
]


class Requests(BaseCallbackHandler):
    """Keeps what a model receives."""

    def __init__(self) -> None:
        self.messages: list[Sequence[BaseMessage]] = []

    def on_chat_model_start(self, _: Any, messages: list[list[BaseMessage]], **__: Any) -> None:
        self.messages.append(list(messages[0]))


class ScriptedModel(GenericFakeChatModel):
    """Answers what the test says, and accepts any tools."""

    def bind_tools(self, *_: Any, **__: Any) -> ScriptedModel:
        return self

    @property
    def requests(self) -> list[Sequence[BaseMessage]]:
        return self.callbacks[0].messages


def scripted(*answers: str | AIMessage) -> ScriptedModel:
    return ScriptedModel(messages=iter(answers), callbacks=[Requests()])


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"It rains in {city}."


async def run(agent: Any, way: str, messages: list[Any], config: Any = TRIP, context: Any = ANA) -> list[BaseMessage]:
    given = {"messages": messages}
    if way == "invoke":
        return agent.invoke(given, config, context=context)["messages"]
    return (await agent.ainvoke(given, config, context=context))["messages"]


def stored(memory: Memory, conversation: str = "trip") -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in memory.space("ana").conversation(conversation)]


both = pytest.mark.parametrize("way", ["invoke", "ainvoke"])


@both
@pytest.mark.anyio
async def test_a_model_gets_what_memory_knows_and_the_turn_is_stored(memory: Memory, way: str):
    old = memory.space("ana").conversation("old")
    old.add("user", "I keep three herons in Porto.")
    memory.flush()
    model = scripted("In Porto.")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)], system_prompt="You are kind.")
    await run(agent, way, [("user", "Where do I keep my herons?")])
    system, question = model.requests[0]
    assert system.content == "You are kind."
    assert "I keep three herons in Porto." in question.content
    assert question.content.endswith("\n\nWhere do I keep my herons?")
    assert stored(memory) == [("user", "Where do I keep my herons?"), ("assistant", "In Porto.")]
    assert [message.text for message in memory.space("bob").conversation("trip")] == []


@both
@pytest.mark.anyio
async def test_each_message_comes_back_as_it_was_and_calls_stay_with_their_results(memory: Memory, way: str):
    model = scripted(AIMessage("", tool_calls=CALLS, usage_metadata=None), AIMessage("Take an umbrella.", name="guide"))
    agent = create_agent(model, [weather], middleware=[MemoryMiddleware(memory.space("ana"))])
    messages = await run(agent, way, [HumanMessage("Which weather?", additional_kwargs={"lang": "en"})], context=None)
    chat = memory.space("ana").conversation("trip")
    assert list(map(to_message, chat)) == messages
    assert [message.role for message in chat] == ["user", "assistant", "tool", "tool", "assistant"]
    asked = [call["id"] for call in list(chat)[1].tool_calls or []]
    assert asked == [message.tool_call_id for message in chat if message.role == "tool"] == ["c0", "c1"]
    assert [json.loads(message.raw or "")["data"]["id"] for message in chat] == [message.id for message in messages]


@both
@pytest.mark.anyio
@pytest.mark.parametrize("history", ["with a checkpointer", "with ids", "without ids", "only what is new"])
async def test_a_message_is_stored_once(memory: Memory, way: str, history: str):
    model = scripted(AIMessage("", tool_calls=CALLS), "Rain.", "You are welcome.", "Yes again.", "Bye.")
    saver = InMemorySaver() if history == "with a checkpointer" else None
    agent = create_agent(model, [weather], middleware=[MemoryMiddleware(memory)], checkpointer=saver)
    kept: list[Any] = []
    for question in ("Which weather?", "Thanks", "yes", "yes"):
        before = [] if history in ("with a checkpointer", "only what is new") else kept
        kept = await run(agent, way, [*before, {"role": "user", "content": question}])
        if history == "without ids":
            kept = [message.model_copy(update={"id": None}) for message in kept]
    assert stored(memory) == [
        ("user", "Which weather?"), ("assistant", ""), ("tool", "It rains in Porto."), ("tool", "It rains in Faro."),
        ("assistant", "Rain."), ("user", "Thanks"), ("assistant", "You are welcome."), ("user", "yes"),
        ("assistant", "Yes again."), ("user", "yes"), ("assistant", "Bye."),
    ]  # fmt: skip


@pytest.mark.anyio
async def test_what_the_agent_sends_is_not_recalled_and_what_it_left_out_is(memory: Memory):
    model = scripted("Noted.", "In Porto.", "In Porto, yes.")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)])
    first = await run(agent, "invoke", [("user", "I keep three herons in Porto.")])
    memory.flush()
    await run(agent, "invoke", [*first, ("user", "Where do I keep my herons?")])
    assert model.requests[1][-1].content == "Where do I keep my herons?"
    memory.flush()
    await run(agent, "invoke", [("user", "Tell me again where I keep my herons")])
    assert "I keep three herons in Porto." in model.requests[2][-1].content
    assert all("<recalled>" not in text for _, text in stored(memory))
    assert all("<recalled>" not in (message.raw or "") for message in memory.space("ana").conversation("trip"))


def test_the_block_stays_the_same_while_tools_are_called(memory: Memory):
    memory.space("ana").conversation("old").add("user", "I take the weather in Porto seriously.")
    memory.flush()
    model = scripted(AIMessage("", tool_calls=CALLS), "Rain.")
    agent = create_agent(model, [weather], middleware=[MemoryMiddleware(memory)])
    agent.invoke({"messages": [("user", "Which weather in Porto?")]}, TRIP, context=ANA)
    first, second = model.requests
    assert "seriously" in first[0].content
    assert first[0].content == second[0].content


def test_images_stay_and_the_block_is_a_part_before_them(memory: Memory):
    memory.space("ana").conversation("old").add("user", "I keep three herons in Porto.")
    memory.flush()
    model = scripted("A heron.")
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "Is this one of my herons?"}, picture]
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)])
    agent.invoke({"messages": [HumanMessage(content)]}, TRIP, context=ANA)
    sent = model.requests[0][0].content
    assert sent[1:] == content
    assert "three herons" in sent[0]["text"]
    assert to_message(next(iter(memory.space("ana").conversation("trip")))).content == content


def test_a_summary_of_the_framework_is_not_stored(memory: Memory):
    summaries = scripted("They spoke of birds.")
    model = scripted("One.", "Two.", "Three.")
    shorten = SummarizationMiddleware(summaries, trigger=("messages", 4), keep=("messages", 1))
    agent = create_agent(model, middleware=[shorten, MemoryMiddleware(memory)], checkpointer=InMemorySaver())
    for question in ("first", "second", "third"):
        agent.invoke({"messages": [("user", question)]}, TRIP, context=ANA)
    assert any("They spoke of birds." in str(message.content) for message in model.requests[-1])
    assert [text for _, text in stored(memory)] == ["first", "One.", "second", "Two.", "third", "Three."]


@dataclass
class Context:
    user_id: str
    conversation_id: str | None = None


def test_the_context_names_the_user_and_the_thread_the_conversation(memory: Memory):
    agent = create_agent(scripted("a", "b"), middleware=[MemoryMiddleware(memory)], context_schema=Context)
    agent.invoke({"messages": [("user", "q")]}, context=Context("ana", "mine"))
    agent.invoke({"messages": [("user", "q")]}, TRIP, context=Context("ana", "mine"))
    assert stored(memory, "mine") == [("user", "q"), ("assistant", "a")]
    assert stored(memory, "trip") == [("user", "q"), ("assistant", "b")]


@pytest.mark.parametrize(("config", "context", "says"), [(TRIP, None, "user_id"), ({}, ANA, "thread_id")])
def test_a_run_that_names_no_user_or_no_conversation_is_refused(memory: Memory, config: Any, context: Any, says: str):
    model = scripted("a")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory)])
    with pytest.raises(InvalidInput, match=says):
        agent.invoke({"messages": [("user", "q")]}, config, context=context)
    assert model.requests == []
    assert memory.spaces() == []


def test_a_run_that_failed_is_stored_with_the_next_one(memory: Memory):
    model = scripted(AIMessage("", tool_calls=CALLS[:1]))
    agent = create_agent(model, [weather], middleware=[MemoryMiddleware(memory)], checkpointer=InMemorySaver())
    with pytest.raises(RuntimeError):  # the script is at its end
        agent.invoke({"messages": [("user", "Which weather?")]}, TRIP, context=ANA)
    assert stored(memory) == []
    model.messages = iter([AIMessage("Rain.")])
    agent.invoke(None, TRIP, context=ANA)
    roles = [role for role, _ in stored(memory)]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert isinstance(to_message(list(memory.space("ana").conversation("trip"))[2]), ToolMessage)

"""ADK's Runner with a scripted model, on our memory service."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools import load_memory, preload_memory
from google.genai import types

from aforesaid import Memory
from aforesaid.integrations.google_adk import AforesaidMemoryService

ANA = {"app_name": "travel", "user_id": "ana"}
BOB = {"app_name": "travel", "user_id": "bob"}


class ScriptedModel(BaseLlm):
    """Answers with the next parts of a script, and keeps what it was sent."""

    model: str = "scripted"
    script: list[list[types.Part]]
    sent: list[str] = []  # noqa: RUF012 (a field of pydantic)

    async def generate_content_async(self, llm_request: Any, **_: Any) -> AsyncGenerator[LlmResponse, None]:
        self.sent.append(llm_request.model_dump_json(include={"contents", "config"}, exclude_none=True))
        yield LlmResponse(content=types.Content(role="model", parts=self.script.pop(0)))


def says(text: str) -> list[types.Part]:
    return [types.Part(text=text)]


def calls(name: str, *arguments: dict[str, Any]) -> list[types.Part]:
    return [types.Part(function_call=types.FunctionCall(name=name, args=one)) for one in arguments]


def weather(city: str) -> str:
    """The weather of a city."""
    return f"It rains in {city}."


class Chat:
    def __init__(self, memory: Memory, *script: list[types.Part], tools: list[Any] | None = None) -> None:
        self.model = ScriptedModel(script=list(script))
        agent = LlmAgent(name="guide", model=self.model, tools=tools or [])
        self.sessions, self.service = InMemorySessionService(), AforesaidMemoryService(memory)
        self.runner = Runner(
            app_name="travel", agent=agent, session_service=self.sessions, memory_service=self.service,
            auto_create_session=True,
        )  # fmt: skip

    async def ask(self, text: str, session: str, user: str = "ana") -> Session:
        message = types.Content(role="user", parts=[types.Part(text=text)])
        async for _ in self.runner.run_async(user_id=user, session_id=session, new_message=message):
            pass
        found = await self.sessions.get_session(app_name="travel", user_id=user, session_id=session)
        assert found is not None
        return found


def event(id: str, text: str, author: str = "user", **fields: Any) -> Event:
    role = "user" if author == "user" else "model"
    return Event(id=id, author=author, content=types.Content(role=role, parts=[types.Part(text=text)]), **fields)


def texts(found: Any) -> list[str]:
    return ["".join(part.text or "" for part in memory.content.parts) for memory in found.memories]


@pytest.mark.req("X7")
async def test_a_grown_session_is_added_again_and_each_event_is_stored_once(memory: Memory):
    chat = Chat(memory, says("Noted."), says("In May."))
    session = await chat.ask("We settled on Lisbon.", "first")
    await chat.service.add_session_to_memory(session)
    session = await chat.ask("When?", "first")
    for _ in range(2):
        await chat.service.add_session_to_memory(session)
    stored = list(memory.space("travel/ana").conversation("first"))
    assert [(message.role, message.name, message.text) for message in stored] == [
        ("user", None, "We settled on Lisbon."),
        ("assistant", "guide", "Noted."),
        ("user", None, "When?"),
        ("assistant", "guide", "In May."),
    ]
    assert [message.id for message in stored] == [event.id for event in session.events]


@pytest.mark.req("X7")
async def test_an_agent_preloads_the_memory_of_its_user_only(memory: Memory):
    chat = Chat(memory, says("Noted."), says("To Lisbon."), says("I do not know."), tools=[preload_memory])
    await chat.service.add_session_to_memory(await chat.ask("We settled on Lisbon in May.", "first"))
    later = await chat.ask("Where are we going in May?", "second")
    await chat.ask("Where are we going in May?", "third", user="bob")
    assert "We settled on Lisbon in May." in chat.model.sent[1]
    assert "Lisbon" not in chat.model.sent[2]
    await chat.service.add_session_to_memory(later)
    stored = [message.text for message in memory.space("travel/ana").conversation("second")]
    assert stored == ["Where are we going in May?", "To Lisbon."]


@pytest.mark.req("X7")
async def test_what_a_tool_recalled_is_not_stored_again(memory: Memory):
    chat = Chat(
        memory, says("Noted."), calls("load_memory", {"query": "Where in May?"}), says("There."), tools=[load_memory]
    )
    await chat.service.add_session_to_memory(await chat.ask("We settled on Lisbon in May.", "first"))
    session = await chat.ask("Where do we go?", "second")
    assert "We settled on Lisbon in May." in chat.model.sent[2]
    await chat.service.add_session_to_memory(session)
    stored = list(memory.space("travel/ana").conversation("second"))
    assert [message.role for message in stored] == ["user", "assistant", "tool", "assistant"]
    assert not any("Lisbon" in f"{message.text} {message.raw}" for message in stored)


@pytest.mark.req("X7")
async def test_calls_stay_with_their_results_and_no_result_is_a_memory(memory: Memory):
    chat = Chat(memory, calls("weather", {"city": "Faro"}, {"city": "Porto"}), says("Rain in both."), tools=[weather])
    await chat.service.add_session_to_memory(await chat.ask("How is the weather?", "first"))
    stored = list(memory.space("travel/ana").conversation("first"))
    assert [message.role for message in stored] == ["user", "assistant", "tool", "tool", "assistant"]
    called = [call["id"] for call in stored[1].tool_calls]
    assert called == [message.tool_call_id for message in stored[2:4]]
    assert memory.space("travel/ana").conversation("first").context("And now?").warnings == ()
    found = texts(await chat.service.search_memory(**ANA, query="rain weather Faro Porto"))
    assert sorted(found) == ["How is the weather?", "Rain in both."]


@pytest.mark.req("X7")
async def test_apps_and_users_with_slashes_stay_apart(memory: Memory):
    service = AforesaidMemoryService(memory)
    for app, user in (("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c")):
        await service.add_events_to_memory(app_name=app, user_id=user, events=[event("e", f"Tea for {app}")])
    for app, user in (("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c")):
        assert texts(await service.search_memory(app_name=app, user_id=user, query="tea")) == [f"Tea for {app}"]


async def test_events_are_a_delta_and_bring_their_metadata_back(memory: Memory):
    service = AforesaidMemoryService(memory)
    first, second = event("e1", "Likes tea", timestamp=1_772_000_000.5), event("e2", "Noted: tea", author="guide")
    await service.add_events_to_memory(**ANA, events=[first], session_id="s", custom_metadata={"ttl": "6000s"})
    await service.add_events_to_memory(**ANA, events=[first, second], session_id="s")
    found = (await service.search_memory(**ANA, query="tea")).memories
    assert {(one.id, one.author, one.custom_metadata.get("ttl")) for one in found} == {
        ("e1", "user", "6000s"),
        ("e2", "guide", None),
    }
    assert next(one.timestamp for one in found if one.id == "e1") == "2026-02-25T06:13:20.500000+00:00"


async def test_content_comes_back_as_it_was(memory: Memory):
    service = AforesaidMemoryService(memory)
    parts = [
        types.Part(text="hm", thought=True, thought_signature=b"\x00\xff"),
        types.Part(text="A picture of the café:"),
        types.Part.from_bytes(data=b"\x89PNG\x00", mime_type="image/png"),
    ]
    content = types.Content(role="user", parts=parts)
    await service.add_events_to_memory(**ANA, events=[Event(id="e", author="user", content=content)])
    (found,) = (await service.search_memory(**ANA, query="café")).memories
    assert found.content == content


async def test_events_without_content_and_partial_events_are_left_out(memory: Memory):
    events = [Event(id="a", author="user"), event("b", "Likes te", author="guide", partial=True)]
    await AforesaidMemoryService(memory).add_session_to_memory(
        Session(id="s", app_name="travel", user_id="ana", events=events)
    )
    assert list(memory.space("travel/ana").conversation("s")) == []


async def test_memories_are_added_replaced_and_found(memory: Memory):
    service = AforesaidMemoryService(memory)
    entry = MemoryEntry(content=types.Content(parts=[types.Part(text="Prefers the train")]), author="ana")
    for _ in range(2):
        await service.add_memory(**ANA, memories=[entry], custom_metadata={"source": "form"})
    (found,) = (await service.search_memory(**ANA, query="train")).memories
    assert (found.author, found.custom_metadata, found.content) == ("ana", {"source": "form"}, entry.content)
    assert not (await service.search_memory(**BOB, query="train")).memories
    await service.delete_memory(**ANA, memory_id=found.id)
    assert not (await service.search_memory(**ANA, query="train")).memories


@pytest.mark.req("X7")
async def test_a_deleted_event_is_erased_and_not_stored_again(memory: Memory):
    service = AforesaidMemoryService(memory)
    session = Session(
        id="s", app_name="travel", user_id="ana", events=[event("e1", "Zephyrine called"), event("e2", "ok")]
    )
    await service.add_session_to_memory(session)
    await service.delete_memory(**ANA, memory_id="e1")
    await service.delete_memory(**ANA, memory_id="e1")
    await service.delete_memory(**ANA, memory_id="never stored")
    await service.delete_memory(**ANA, memory_id=None)
    await service.add_session_to_memory(session)
    assert [message.id for message in memory.space("travel/ana").conversation("s")] == ["e2"]
    assert memory.verify_erasure("Zephyrine called").clean


async def test_facts_are_found_if_asked_for(memory: Memory):
    memory.space("travel/ana").remember("Ana is allergic to peanuts")
    assert texts(await AforesaidMemoryService(memory).search_memory(**ANA, query="peanuts")) == []
    service = AforesaidMemoryService(memory, kinds=["message", "fact"])
    found = await service.search_memory(**ANA, query="peanuts")
    assert texts(found) == ["Ana is allergic to peanuts"]
    await service.delete_memory(**ANA, memory_id=found.memories[0].id)
    assert texts(await service.search_memory(**ANA, query="peanuts")) == []


async def test_a_query_without_words_finds_nothing(memory: Memory):
    assert (await AforesaidMemoryService(memory).search_memory(**ANA, query=" … ")).memories == []

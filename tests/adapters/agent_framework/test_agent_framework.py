"""Agents of the Agent Framework with a scripted client, on our providers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    ResponseStream,
    tool,
)

from aforesaid import Memory
from aforesaid.integrations.agent_framework import AforesaidContextProvider, AforesaidHistoryProvider


class ScriptedClient(FunctionInvocationLayer, BaseChatClient):
    """Answers with the next contents of a script, and keeps what it was sent."""

    def __init__(self, *script: list[Content]) -> None:
        super().__init__()
        self.script = list(script)
        self.sent: list[list[Message]] = []

    def _inner_get_response(self, *, messages: Sequence[Message], stream: bool, **_: Any) -> Any:
        self.sent.append(list(messages))
        contents = self.script.pop(0)
        if stream:
            return ResponseStream(updates(contents), finalizer=ChatResponse.from_updates)
        return answer(contents)


async def answer(contents: list[Content]) -> ChatResponse:
    return ChatResponse(messages=[Message("assistant", contents)])


async def updates(contents: list[Content]) -> AsyncIterator[ChatResponseUpdate]:
    for content in contents:
        yield ChatResponseUpdate(role="assistant", contents=[content])


def says(text: str) -> list[Content]:
    return [Content.from_text(text)]


def calls(*cities: str) -> list[Content]:
    return [Content.from_function_call(f"c{at}", "weather", arguments={"city": city}) for at, city in enumerate(cities)]


@tool(approval_mode="never_require")
def weather(city: str) -> str:
    """The weather of a city."""
    return f"It rains in {city}."


def stored(memory: Memory, session: str, space: str = "ana") -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in memory.space(space).conversation(session)]


def shown(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(str(message.role), message.text) for message in messages]


@pytest.mark.req("X7")
async def test_a_session_goes_on_with_its_history(memory: Memory):
    client = ScriptedClient(calls("Lisbon", "Porto"), says("Rain in both."), says("As I said."))
    for words in ("How is the weather?", "Say it again."):
        agent = Agent(client, tools=[weather], context_providers=[AforesaidHistoryProvider(memory, "ana")])
        await agent.run(words, session=agent.create_session(session_id="trip"))
    sent = client.sent[2]
    assert [message.role for message in sent] == ["user", "assistant", "tool", "assistant", "user"]
    assert [content.call_id for content in sent[1].contents] == ["c0", "c1"]
    assert [content.call_id for content in sent[2].contents] == ["c0", "c1"]
    assert stored(memory, "trip") == [
        ("user", "How is the weather?"),
        ("assistant", ""),
        ("tool", "It rains in Lisbon."),
        ("tool", "It rains in Porto."),
        ("assistant", "Rain in both."),
        ("user", "Say it again."),
        ("assistant", "As I said."),
    ]
    chat = memory.space("ana").conversation("trip")
    assert chat.context("And now?").warnings == ()
    assert [one.get("tool_call_id") for one in chat.context("And now?").to_openai()][-6:-4] == ["c0", "c1"]


@pytest.mark.req("X7")
async def test_messages_of_any_shape_come_back_as_they_were(memory: Memory):
    history = AforesaidHistoryProvider(memory, "ana")
    messages = [
        Message("system", ["Be brief."]),
        Message("user", ["\0\ud800 half"], author_name="Ana", message_id="m1", additional_properties={"n": 1.0}),
        Message("user", [Content.from_data(b"\x89PNG", "image/png")]),
        Message("assistant", [Content.from_text_reasoning(text="hm"), Content.from_text("Yes.")]),
        Message("assistant", []),
        Message("tool", [Content.from_function_result("c9", result="")]),
        Message("developer", ["note"]),
    ]
    await history.save_messages("s", messages)
    loaded = await history.get_messages("s")
    assert [message.to_dict() for message in loaded] == [message.to_dict() for message in messages]
    assert await history.get_messages("other") == []
    assert await AforesaidHistoryProvider(memory, "bob").get_messages("s") == []


async def test_a_history_that_is_sent_again_is_stored_once(memory: Memory):
    history = AforesaidHistoryProvider(memory, "ana")
    turns = [Message("user", ["ok"]), Message("assistant", ["Done."])]
    await history.save_messages("s", turns)
    await history.save_messages("s", [*turns, Message("user", ["And now?"])])
    assert len(await history.get_messages("s")) == 3
    named = [Message("user", ["ok"], message_id="m1"), Message("assistant", ["Done."], message_id="m2")]
    await history.save_messages("s", named)
    await history.save_messages("s", [*named, Message("user", ["Thanks"], message_id="m3")])
    assert [message.text for message in await history.get_messages("s")][3:] == ["ok", "Done.", "Thanks"]


async def test_two_turns_with_the_same_words_are_two_turns(memory: Memory):
    history = AforesaidHistoryProvider(memory, "ana")
    for _ in range(3):
        await history.save_messages("s", [Message("user", ["ok"]), Message("assistant", ["Done."])])
    assert len(await history.get_messages("s")) == 6


@pytest.mark.req("X7")
async def test_an_agent_knows_what_was_said_in_other_sessions_of_its_user(memory: Memory):
    client = ScriptedClient(says("Noted."), says("To Lisbon."), says("I do not know."))
    for user, session, words in (
        ("ana", "first", "We settled on Lisbon in May."),
        ("ana", "second", "Where are we going in May?"),
        ("bob", "third", "Where are we going in May?"),
    ):
        agent = Agent(client, context_providers=[AforesaidContextProvider(memory, user)])
        await agent.run(words, session=agent.create_session(session_id=session))
    recalled, question = client.sent[1]
    assert recalled.role == "user"
    assert recalled.text.startswith("<recalled>")
    assert "user> We settled on Lisbon in May." in recalled.text
    assert question.text == "Where are we going in May?"
    assert shown(client.sent[2]) == [("user", "Where are we going in May?")]
    assert stored(memory, "second") == [("user", "Where are we going in May?"), ("assistant", "To Lisbon.")]
    assert stored(memory, "third", "bob") == [("user", "Where are we going in May?"), ("assistant", "I do not know.")]


@pytest.mark.req("X7")
async def test_both_providers_store_each_message_once_and_repeat_no_history(memory: Memory):
    memory.space("ana").conversation("old").add("user", "The budget for Lisbon is 900 euros.")
    client = ScriptedClient(says("Noted: Lisbon."), says("900 euros."))
    providers = [AforesaidHistoryProvider(memory, "ana"), AforesaidContextProvider(memory, "ana")]
    agent = Agent(client, context_providers=providers)
    session = agent.create_session(session_id="trip")
    await agent.run("We settled on Lisbon in May.", session=session)
    await agent.run("What is the budget for Lisbon?", session=session)
    assert stored(memory, "trip") == [
        ("user", "We settled on Lisbon in May."),
        ("assistant", "Noted: Lisbon."),
        ("user", "What is the budget for Lisbon?"),
        ("assistant", "900 euros."),
    ]
    history, recalled = client.sent[1][:2], client.sent[1][2]
    assert shown(history) == [("user", "We settled on Lisbon in May."), ("assistant", "Noted: Lisbon.")]
    assert "The budget for Lisbon is 900 euros." in recalled.text
    assert "We settled" not in recalled.text
    assert len(client.sent[1]) == 4


async def test_what_a_new_process_no_longer_sends_is_recalled(memory: Memory):
    client = ScriptedClient(says("Noted."), says("So be it."), says("To Lisbon."))
    for restart in (False, True):
        agent = Agent(client, context_providers=[InMemoryHistoryProvider(), AforesaidContextProvider(memory, "ana")])
        session = agent.create_session(session_id="trip")
        words = ("Where are we going in May?",) if restart else ("We settled on Lisbon in May.", "Good.")
        for one in words:
            await agent.run(one, session=session)
    recalled, _ = client.sent[2]
    assert "We settled on Lisbon in May." in recalled.text
    assert not any("<recalled>" in text for _, text in stored(memory, "trip"))


async def test_a_streamed_answer_is_stored(memory: Memory):
    agent = Agent(ScriptedClient(says("Noted.")), context_providers=[AforesaidContextProvider(memory, "ana")])
    stream = agent.run("Hello.", session=agent.create_session(session_id="s"), stream=True)
    assert "".join([update.text async for update in stream]) == "Noted."
    await stream.get_final_response()
    assert stored(memory, "s") == [("user", "Hello."), ("assistant", "Noted.")]


async def test_a_provider_can_only_read(memory: Memory):
    provider = AforesaidContextProvider(memory, "ana", store=False)
    agent = Agent(ScriptedClient(says("Noted.")), context_providers=[provider])
    await agent.run("Hello.", session=agent.create_session(session_id="s"))
    assert stored(memory, "s") == []

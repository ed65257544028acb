"""AforesaidChatMessageHistory, on a file and on a server."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from aforesaid import Memory
from aforesaid.integrations.langchain import AforesaidChatMessageHistory

CALL = {"name": "f", "args": {"x": [1, 1.0, None, "é"]}, "id": "c1", "type": "tool_call"}
INVALID = {"name": "f", "args": "{", "id": "c2", "error": "no", "type": "invalid_tool_call"}
MESSAGES: list[BaseMessage] = [
    SystemMessage("You are kind.", id="s1"),
    HumanMessage("Where?", name="ana", additional_kwargs={"k": {"b": 1, "a": None}}),
    HumanMessage([{"type": "text", "text": "And this?"}, {"type": "image", "url": "https://example.org/a.png"}, "x"]),
    AIMessage("", tool_calls=[CALL], response_metadata={"model_name": "m", "logprobs": None}),
    AIMessage(
        [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "There."}],
        usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    ),
    AIMessage("", invalid_tool_calls=[INVALID]),
    ToolMessage("done", tool_call_id="c1", artifact={"rows": [1, 2]}, status="error"),
    ToolMessage("", tool_call_id="c3"),
    ToolMessage("no id", tool_call_id="", name=""),
    FunctionMessage("old", name="f"),
    ChatMessage("aside", role="narrator"),
    AIMessageChunk("piece"),
    RemoveMessage("s1"),
]  # fmt: skip


@pytest.fixture
def history(memory: Memory) -> AforesaidChatMessageHistory:
    return AforesaidChatMessageHistory(memory.space("ana").conversation("trip"))


def test_every_message_comes_back_as_it_was(history: AforesaidChatMessageHistory):
    history.add_messages(MESSAGES)
    found = history.messages
    assert found == MESSAGES
    assert [type(message) for message in found] == [type(message) for message in MESSAGES]
    assert [message.model_dump_json() for message in found] == [message.model_dump_json() for message in MESSAGES]
    history.add_messages(MESSAGES)
    assert len(history.messages) == 2 * len(MESSAGES)
    history.clear()
    assert history.messages == []


@pytest.mark.anyio
async def test_the_async_methods_do_the_same(history: AforesaidChatMessageHistory):
    await history.aadd_messages(MESSAGES[:2])
    assert await history.aget_messages() == MESSAGES[:2]
    await history.aclear()
    assert await history.aget_messages() == []


def test_an_artifact_that_is_no_json_becomes_text(history: AforesaidChatMessageHistory):
    thing: Any = object()
    history.add_messages([ToolMessage("x", tool_call_id="c", artifact=thing)])
    assert history.messages[0].artifact == str(thing)


def test_words_are_found_and_messages_of_other_programs_are_part_of_it(
    history: AforesaidChatMessageHistory, memory: Memory
):
    history.add_user_message("I keep three herons")
    memory.space("ana").conversation("trip").add("assistant", "Where?")
    memory.space("ana").conversation("trip").add("tool", "Porto", tool_call_id="c9")
    assert memory.space("ana").recall("herons")[0].text == "I keep three herons"
    first, second, third = history.messages
    assert (first.type, second.type, second.content, third.type) == ("human", "ai", "Where?", "tool")
    assert third.tool_call_id == "c9"

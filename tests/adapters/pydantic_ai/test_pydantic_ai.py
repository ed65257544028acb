"""`AforesaidMemory` with Pydantic AI's agent and its function model, on a file and on a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from pydantic_ai import Agent, BinaryContent, ImageUrl, RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    RetryFeedbackPart,
    RetryInfo,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from aforesaid import Memory
from aforesaid.errors import ConflictError, InvalidInput
from aforesaid.integrations.pydantic_ai import AforesaidMemory

pytestmark = pytest.mark.req("X7")

dump = ModelMessagesTypeAdapter.dump_json
IMAGE = BinaryContent(b"\x00\xff", media_type="image/png")
AT = datetime(2026, 3, 1, tzinfo=UTC)

SHAPES: list[ModelMessage] = [
    ModelRequest(
        [
            SystemPromptPart("Be brief."),
            UserPromptPart(["Is Lisbon warm? 😀", ImageUrl("https://x.test/a"), IMAGE]),
        ],
        instructions="You plan trips.", timestamp=AT, run_id="r1", metadata={"n": [1, None, 2.5]},
    ),
    ModelResponse(
        [
            ThinkingPart("Let me look.", signature="s"),
            ToolCallPart("weather", {"city": "Lisbon"}, tool_call_id="c1"),
            ToolCallPart("time", '{"zone": "WET"}', tool_call_id="c2"),
        ],
        model_name="gpt-5", timestamp=AT, run_id="r1", provider_details={"x": 1},
    ),
    ModelRequest(
        [
            ToolReturnPart("weather", {"degrees": 22}, tool_call_id="c1", metadata={"cached": True}),
            ToolReturnPart("time", "no such zone", tool_call_id="c2", outcome="retried"),
        ],
        run_id="r1",
    ),
    ModelResponse([TextPart("Yes,"), TextPart("22 degrees.")], timestamp=AT, run_id="r1"),
    ModelRequest([RetryFeedbackPart("Answer in JSON.", retry=RetryInfo(cause="model_retry"))], run_id="r2"),
    ModelResponse([ThinkingPart("Hm.")], timestamp=AT, run_id="r2"),
    ModelRequest([UserPromptPart("")], run_id="r3"),
    ModelRequest([], run_id="r4", state="interrupted"),
    ModelRequest([UserPromptPart("Without a run.")]),
    ModelRequest([UserPromptPart("Without a run.", timestamp=AT)]),
    ModelRequest([UserPromptPart("Without a run.", timestamp=AT)]),
]  # fmt: skip


@dataclass
class Caller:
    name: str


def answering(text: str, seen: list[AgentInfo]) -> FunctionModel:
    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        return ModelResponse([TextPart(text)])

    return FunctionModel(answer)


async def test_every_shape_comes_back_byte_for_byte_and_is_stored_once(memory: Memory):
    capability = AforesaidMemory(memory, space="ana")
    await capability.add(SHAPES[:3], "trip")
    await capability.add(SHAPES, "trip")  # the history has grown
    await capability.add(SHAPES, "trip")
    assert dump(await capability.history("trip")) == dump(SHAPES)
    roles = [message.role for message in memory.space("ana").conversation("trip").messages()]
    assert (
        roles
        == ["system", "user", "assistant"]
        + ["tool"] * 2
        + ["assistant"]
        + ["tool"] * 2
        + ["user", "tool"]
        + ["user"] * 3
    )


async def test_words_are_found_and_calls_keep_their_results(memory: Memory):
    ana = memory.space("ana")
    await AforesaidMemory(memory, space="ana").add(SHAPES, "trip")
    assert "Is Lisbon warm? 😀" in ana.recall("how warm is Lisbon?", kinds=["message"])[0].text
    call, *results = ana.conversation("trip").messages()[2:5]
    assert [each["id"] for each in call.tool_calls] == [result.tool_call_id for result in results] == ["c1", "c2"]
    sent = ana.conversation("trip").context("warm?", max_tokens=2000).to_openai()
    at = next(n for n, message in enumerate(sent) if message.get("tool_calls"))
    assert [message.get("tool_call_id") for message in sent[at + 1 : at + 3]] == ["c1", "c2"]


async def test_a_forgotten_part_leaves_the_rest_of_its_message(memory: Memory):
    capability = AforesaidMemory(memory, space="ana")
    await capability.add(SHAPES, "trip")
    result = memory.space("ana").conversation("trip").messages()[3]
    memory.space("ana").forget(message=result.id)
    history = await capability.history("trip")
    assert history[2].parts == SHAPES[2].parts[1:]
    assert b"degrees" not in dump(history[2:3])


async def test_a_run_gets_memory_that_is_never_stored(memory: Memory):
    ana = memory.space("ana")
    ana.conversation("earlier").add("user", "Our budget for Lisbon is 900 €.")
    seen: list[AgentInfo] = []
    capability = AforesaidMemory(memory, space=lambda caller: caller.name)
    agent = Agent(answering("900 €.", seen), deps_type=Caller, instructions="Be brief.", capabilities=[capability])
    first = await agent.run("What is our budget for Lisbon?", deps=Caller("ana"), conversation_id="trip")
    assert seen[0].instructions.startswith("Be brief.\n\n<recalled>")
    assert "Our budget for Lisbon is 900 €." in seen[0].instructions
    assert b"<recalled>" not in first.all_messages_json()
    assert b'"instructions":"Be brief."' in first.all_messages_json()
    history = await capability.history("trip", deps=Caller("ana"))
    assert dump(history) == first.all_messages_json()
    assert not any("<recalled>" in (message.raw or "") for message in ana.conversation("trip").messages())


async def test_a_growing_history_is_stored_once_and_not_quoted_again(memory: Memory):
    seen: list[AgentInfo] = []
    capability = AforesaidMemory(memory, space="ana", conversation="trip")
    agent = Agent(answering("Noted.", seen), capabilities=[capability])
    for text in ("The dog is called Rufus.", "Rufus likes Lisbon.", "What is the dog called?"):
        result = await agent.run(text, message_history=await capability.history())
    assert dump(await capability.history()) == result.all_messages_json()
    assert len(result.all_messages()) == 6
    assert all("Rufus" not in (info.instructions or "") for info in seen)
    await agent.run("What is the dog called?")  # without the history
    assert "The dog is called Rufus." in seen[-1].instructions


async def test_another_message_under_the_id_of_a_run_is_a_conflict(memory: Memory):
    capability = AforesaidMemory(memory, conversation="trip")
    agent = Agent(answering("Noted.", []), capabilities=[capability])
    await agent.run("One.", run_id="r1")
    with pytest.raises(ConflictError):
        await agent.run("Two.", run_id="r1")
    assert len(await capability.history()) == 2


async def test_tools_and_streams(memory: Memory):
    capability = AforesaidMemory(memory, conversation="trip")
    agent = Agent(TestModel(), capabilities=[capability])

    @agent.tool
    def weather(ctx: RunContext[None], city: str) -> dict[str, int]:
        return {"degrees": 22}

    async with agent.run_stream("Is Lisbon warm?") as streamed:
        await streamed.get_output()
    assert dump(await capability.history()) == streamed.all_messages_json()
    kinds = [part.part_kind for message in await capability.history() for part in message.parts]
    assert kinds == ["user-prompt", "tool-call", "tool-return", "text"]


async def test_messages_that_came_another_way_are_in_the_history(memory: Memory):
    chat = memory.space("ana").conversation("trip")
    chat.add("system", "Be brief.")
    chat.add("user", "From the REST API.")
    chat.add("assistant", "From the proxy.", raw='{"type": "message"}')
    chat.add("tool", "22 degrees", tool_call_id="c9")
    capability = AforesaidMemory(memory, space="ana", conversation="trip")
    history = await capability.history()
    assert [(part.part_kind, part.content) for message in history for part in message.parts] == [
        ("system-prompt", "Be brief."), ("user-prompt", "From the REST API."), ("text", "From the proxy."),
    ]  # fmt: skip
    seen: list[AgentInfo] = []
    await Agent(answering("Yes.", seen), capabilities=[capability]).run("And now?", message_history=history)
    assert [message.text for message in chat.messages()][-2:] == ["And now?", "Yes."]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda memory: AforesaidMemory(memory).history(), "name the conversation"),
        (lambda memory: AforesaidMemory(memory, space=lambda caller: caller.name).history("trip"), "deps"),
    ],
)
async def test_a_missing_name_is_an_error(memory: Memory, call: Callable, reason: str):
    with pytest.raises(InvalidInput, match=reason):
        await call(memory)

"""`AforesaidSession` with the SDK's runner and its scripted model, on a file and on a server."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from agents import Agent, RunConfig, Runner, SessionSettings, function_tool
from agents.memory import Session, is_openai_responses_compaction_aware_session
from agents.testing import ScriptedModel, assistant_message, function_call

from aforesaid import Memory
from aforesaid.errors import InvalidInput
from aforesaid.integrations.openai_agents import AforesaidSession

pytestmark = pytest.mark.req("X7")

ITEMS = [
    {"role": "user", "content": "Is Lisbon warm in May?"},
    {"role": "user", "content": [{"type": "input_image", "image_url": "https://x.test/a.png", "detail": "auto"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VjcmV0"},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Lisbon"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "22 degrees"},
    {"type": "shell_call", "call_id": "c2", "action": {"commands": ["ls"]}},
    {"type": "shell_call_output", "call_id": "c2", "output": [{"stdout": "a", "stderr": ""}]},
    {"role": "user", "content": ""},
    {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Yes, 22 degrees. ☀", "annotations": []}],
    },
]  # fmt: skip


@dataclass
class Caller:
    name: str


def agent(*steps: object, **options: object) -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(steps=[[step] for step in steps])
    return Agent(name="guide", model=model, **options), model


async def test_items_come_back_byte_for_byte_and_their_words_are_found(memory: Memory):
    session = AforesaidSession("trip", memory, space="ana")
    assert isinstance(session, Session)
    await session.add_items(ITEMS)
    assert json.dumps(await session.get_items()) == json.dumps(ITEMS)
    assert await session.get_items(3) == ITEMS[-3:]
    stored = memory.space("ana").conversation("trip").messages()
    assert [message.raw for message in stored] == [json.dumps(item, ensure_ascii=False) for item in ITEMS]
    found = memory.space("ana").recall("how warm is Lisbon?", limit=3, kinds=["message"])
    assert "Is Lisbon warm in May?" in [hit.text for hit in found]
    assert all(message.role == "tool" and not message.text for message in (stored[2], stored[5]))


async def test_pop_and_clear_erase(memory: Memory):
    session = AforesaidSession("trip", memory, space="ana", session_settings={"limit": 0})
    await session.add_items(ITEMS)
    assert await session.get_items() == []
    session.session_settings = None
    assert await session.pop_item() == ITEMS[-1]
    assert await session.get_items() == ITEMS[:-1]
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None
    assert list(memory.space("ana").recall("Lisbon", kinds=["message"])) == []


async def test_a_failed_write_stores_none_of_its_items(memory: Memory):
    session = AforesaidSession("trip", memory)
    await session.add_items(ITEMS[:1])
    with pytest.raises(InvalidInput):
        await session.add_items([{"role": "user", "content": "kept?"}, {"role": "user", "content": "bad \ud800"}])
    with pytest.raises(TypeError):
        await session.add_items([{"role": "user", "content": "kept?"}, {"role": "user", "content": object()}])
    assert await session.get_items() == ITEMS[:1]


async def test_messages_that_came_another_way_are_items_too(memory: Memory):
    chat = memory.space("ana").conversation("trip")
    chat.add("user", "From the REST API.")
    chat.add("assistant", "From the proxy.", raw='{"kind": "response"}')
    chat.add("tool", "22 degrees", tool_call_id="c9")
    session = AforesaidSession("trip", memory, space="ana")
    expected = [{"role": "user", "content": "From the REST API."}, {"role": "assistant", "content": "From the proxy."}]
    assert await session.get_items() == expected
    assert await session.get_items(1) == expected[-1:]
    assert await session.pop_item() == expected[-1]


async def test_the_space_comes_from_the_context_of_the_run(memory: Memory):
    session = AforesaidSession("support", memory, space=lambda caller: caller.name)
    for name in ("ana", "bob"):
        guide, _ = agent(assistant_message(f"Hello {name}."))
        await Runner.run(guide, f"I am {name}.", context=Caller(name), session=session)
    for name in ("ana", "bob"):
        texts = [message.text for message in memory.space(name).conversation("support").messages()]
        assert texts == [f"I am {name}.", f"Hello {name}."]
    with pytest.raises(InvalidInput, match="context of a run"):
        await session.get_items()


async def test_a_run_with_tools_is_stored_once_and_sent_again(memory: Memory):
    @function_tool
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"22 degrees in {city}"

    guide, model = agent(
        function_call("weather", {"city": "Lisbon"}, call_id="c1"), assistant_message("22 degrees."),
        assistant_message("Lisbon."), tools=[weather],
    )  # fmt: skip
    session = AforesaidSession("trip", memory, space="ana")
    await Runner.run(guide, "Is Lisbon warm?", session=session)
    first = await session.get_items()
    assert [item.get("type", item.get("role")) for item in first] == [
        "user", "function_call", "function_call_output", "message",
    ]  # fmt: skip
    await Runner.run(guide, "Which city?", session=session)
    assert model.last_call.input[:4] == first
    assert len(await session.get_items()) == 6


async def test_the_filter_adds_memory_that_is_sent_but_not_stored(memory: Memory):
    ana = memory.space("ana")
    ana.conversation("earlier").add("user", "Our budget for Lisbon is 900 €.")
    session = AforesaidSession("trip", memory, space=lambda caller: caller.name)
    config = RunConfig(call_model_input_filter=session.recall_filter())
    guide, model = agent(assistant_message("900 €."), assistant_message("Yes."), instructions="Be brief.")
    await Runner.run(guide, "What is our budget for Lisbon?", context=Caller("ana"), session=session, run_config=config)
    added, question = model.last_call.input
    assert "Our budget for Lisbon is 900 €." in added["content"]
    assert "What is our budget" not in added["content"]  # the session has stored it already
    assert question["content"] == "What is our budget for Lisbon?"
    assert model.last_call.system_instructions == "Be brief."
    await Runner.run(guide, "Is our budget enough?", context=Caller("ana"), session=session, run_config=config)
    assert "What is our budget" not in model.last_call.input[-2]["content"]  # it is sent as history
    assert [message.text for message in ana.conversation("trip").messages()] == [
        "What is our budget for Lisbon?", "900 €.", "Is our budget enough?", "Yes.",
    ]  # fmt: skip


async def test_the_filter_recalls_items_that_the_session_did_not_read(memory: Memory):
    session = AforesaidSession("trip", memory, space="ana", session_settings=SessionSettings(limit=2))
    await session.add_items([{"role": "user", "content": "The dog is called Rufus."}])
    await session.add_items([{"role": "user", "content": text} for text in ("One.", "Two.")])
    guide, model = agent(assistant_message("Rufus."))
    config = RunConfig(call_model_input_filter=session.recall_filter(300))
    await Runner.run(guide, "What is the dog called?", session=session, run_config=config)
    assert [item["content"] for item in model.last_call.input[:2]] == ["One.", "Two."]
    assert "The dog is called Rufus." in model.last_call.input[2]["content"]


async def test_compaction_summarizes_old_turns_and_keeps_all_items(memory: Memory):
    session = AforesaidSession("trip", memory, space="ana", max_tokens=60)
    assert is_openai_responses_compaction_aware_session(session)
    turns = [
        item
        for n in range(6)
        for item in (
            {"role": "user", "content": f"We decided to spend day {n} in the old town of Lisbon."},
            {"type": "function_call", "call_id": f"c{n}", "name": "book", "arguments": "{}"},
            {"type": "function_call_output", "call_id": f"c{n}", "output": "booked"},
        )
    ]
    await session.add_items(turns)
    assert await session.get_items() == turns
    await session.run_compaction({"response_id": "r1"})
    summary, *rest = await session.get_items()
    assert summary["content"].startswith("<summaries>")
    assert 0 < len(rest) < len(turns)
    assert rest == turns[-len(rest) :]
    assert rest[0]["role"] == "user"  # no result without its call
    await session.run_compaction({"force": False})
    assert (await session.get_items())[1:] == rest  # nothing more is due
    chat = memory.space("ana").conversation("trip")
    assert chat.info().messages == len(turns)
    assert [json.loads(message.raw) for message in chat.messages()] == turns
    memory.space("ana").forget(message=chat.messages()[0].id)
    assert await session.get_items() == turns[1:]  # the summary is forgotten with its message


async def test_an_automatic_summary_does_not_shorten_a_session_that_fits(memory: Memory):
    chat = memory.space("ana").conversation("trip")
    turns = [{"role": "user", "content": f"We decided to spend day {n} in the old town of Lisbon."} for n in range(6)]
    await AforesaidSession("trip", memory, space="ana").add_items(turns)
    chat.summarize()
    for tokens in (None, 1000):
        assert await AforesaidSession("trip", memory, space="ana", max_tokens=tokens).get_items() == turns
    short = AforesaidSession("trip", memory, space="ana", max_tokens=40)
    await short.run_compaction()
    assert await short.get_items() == turns  # the summary is also of the newest turns


async def test_a_closed_session_refuses_and_leaves_its_memory_open(memory: Memory):
    session = AforesaidSession("trip", memory)
    session.close()
    for call in (session.get_items(), session.add_items([]), session.pop_item(), session.clear_session()):
        with pytest.raises(RuntimeError, match="AforesaidSession is closed"):
            await call
    memory.space("ana").conversation("trip").add("user", "still open")

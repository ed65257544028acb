"""Tests that requests are valid by the types of the OpenAI and Anthropic SDKs."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.context.test_budget import calls
from tests.context.world import call, context, material, message, result

from aforesaid import BudgetExceeded

PIXEL = "data:image/png;base64,iVBORw0KGgo="
IMAGE = {"type": "image_url", "image_url": {"url": PIXEL}}
LOG = [
    message(0, "system", "You plan trips."),
    message(1, "user", [{"type": "input_text", "text": "what is this?"}, IMAGE]),
    message(2, "assistant", "A pixel.", name="Bo Lee"),
    message(3, "user", "look it up", name="José Núñez <x>"),
    call(4, "a", "b", arguments='{"q": "pixel"}', text="Let me look."),
    result(5, "a", "found"),
    result(6, "b", ""),
    message(7, "assistant", [{"type": "text", "text": "Here."}, {"type": "image_url", "image_url": {"url": PIXEL}}]),
    message(8, "system", "Be brief from now on."),
    message(9, "user", "thanks"),
    message(10, "user", "and the weather?"),
]  # fmt: skip


@pytest.fixture(scope="module")
def openai_accepts() -> Any:
    from openai.types.chat import ChatCompletionMessageParam
    from pydantic import TypeAdapter

    adapter = TypeAdapter(list[ChatCompletionMessageParam])
    return lambda sent: adapter.validate_python(json.loads(json.dumps(sent)))


@pytest.fixture(scope="module")
def anthropic_accepts() -> Any:
    from anthropic.types import MessageParam, TextBlockParam
    from pydantic import TypeAdapter

    messages, system = TypeAdapter(list[MessageParam]), TypeAdapter(list[TextBlockParam])

    def accepts(sent: dict[str, Any]) -> None:
        sent = json.loads(json.dumps(sent))
        messages.validate_python(sent["messages"])
        system.validate_python(sent.get("system", []))
        roles = [one["role"] for one in sent["messages"]]
        assert roles[:1] in ([], ["user"])
        assert all(first != after for first, after in pairwise(roles))
        asked: list[str] = []
        for one in sent["messages"]:
            assert one["content"]
            answered = [block["tool_use_id"] for block in one["content"] if block["type"] == "tool_result"]
            assert sorted(answered) == sorted(asked)
            assert [b["type"] for b in one["content"][: len(answered)]] == ["tool_result"] * len(answered)
            asked = [block["id"] for block in one["content"] if block["type"] == "tool_use"]
        assert not asked
        marks = json.dumps(sent).count('"cache_control"')
        assert marks <= 4

    return accepts


@pytest.mark.req("X20", "A19")
def test_openai_accepts_a_conversation_with_all_message_kinds(openai_accepts):
    sent = context(material(LOG)).to_openai()
    openai_accepts(sent)
    assert sent[0] == {"role": "system", "content": "You plan trips."}
    assert sent[1]["content"][1] == {"type": "image_url", "image_url": {"url": PIXEL}}
    assert sent[2]["name"] == "Bo_Lee"
    assert sent[4]["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"q": "pixel"}'}
    assert [one.get("tool_call_id") for one in sent[5:7]] == ["a", "b"]
    assert sent[7]["content"] == "Here.\n\n[image_url left out]"


@pytest.mark.req("X20", "A19")
def test_anthropic_accepts_a_conversation_with_all_message_kinds(anthropic_accepts):
    sent = context(material(LOG)).to_anthropic()
    anthropic_accepts(sent)
    assert sent["system"] == [{"type": "text", "text": "You plan trips."}]
    first, second, third, fourth, *_ = sent["messages"]
    assert first["content"][1]["source"] == {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    assert (second["role"], third["role"]) == ("assistant", "user")
    assert fourth["content"][1] == {"type": "tool_use", "id": "a", "name": "look", "input": {"q": "pixel"}}
    assert [block["type"] for block in sent["messages"][4]["content"]] == ["tool_result", "tool_result"]
    assert [block["text"] for block in sent["messages"][-1]["content"]] == [
        "[system] Be brief from now on.", "thanks", "and the weather?",
    ]  # fmt: skip


@pytest.mark.req("X2")
def test_cache_markers_are_at_the_end_of_the_system_text_and_the_history(anthropic_accepts):
    ctx = context(material(LOG))
    sent = ctx.to_anthropic(cache=True)
    anthropic_accepts(sent)
    assert sent["system"][-1]["cache_control"] == {"type": "ephemeral"}
    marked = [block for one in sent["messages"] for block in one["content"] if "cache_control" in block]
    assert [block["text"] for block in marked] == ["thanks"]
    assert ctx.cache_breakpoints == (0, 9)
    assert "cache_control" not in json.dumps(ctx.to_anthropic())


@pytest.mark.parametrize(
    ("arguments", "given"),
    [("", {}), ("{}", {}), ('{"a": 1}', {"a": 1}), ("not json", {"_raw": "not json"}), ("[1]", {"_raw": "[1]"})],
)
def test_tool_arguments_become_an_object(arguments, given):
    log = [message(0), call(1, "a", arguments=arguments), result(2, "a"), message(3)]
    assert context(material(log)).to_anthropic()["messages"][1]["content"][0]["input"] == given


def test_a_leading_assistant_message_is_omitted_for_anthropic_with_a_warning(anthropic_accepts):
    ctx = context(material([message(0, "assistant", "Welcome!"), message(1, "user", "Hi")]))
    assert [one["role"] for one in ctx.to_openai()] == ["assistant", "user"]
    anthropic_accepts(ctx.to_anthropic())
    assert any("to_anthropic() leaves out 1" in warning for warning in ctx.warnings)


@pytest.mark.parametrize(
    ("url", "source"),
    [("https://example.org/a.png", {"type": "url", "url": "https://example.org/a.png"}), ("ftp://x/y", None)],
)
def test_an_image_url_becomes_an_anthropic_source_if_it_is_https(url, source, anthropic_accepts):
    log = [message(0, "user", [{"type": "image_url", "image_url": {"url": url}}])]
    sent = context(material(log)).to_anthropic()
    anthropic_accepts(sent)
    assert sent["messages"][0]["content"][0].get("source") == source


@pytest.mark.req("X20")
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=calls())
def test_both_apis_accept_any_context(made, openai_accepts, anthropic_accepts):
    read, asked = made
    try:
        ctx = context(read, **asked)
    except BudgetExceeded:
        return
    openai_accepts(ctx.to_openai())
    anthropic_accepts(ctx.to_anthropic(cache=True))

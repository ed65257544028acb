"""Tests how a message of a framework is stored: once, with every call beside its result, and verbatim."""

from __future__ import annotations

import json

from aforesaid import Memory
from aforesaid.integrations.chat_messages import FrameworkMessage, dump


def stored(*messages: tuple[FrameworkMessage, dict]) -> list:
    with Memory(worker=False, environment={}) as memory:
        chat = memory.space("a").conversation("c")
        for at, (message, value) in enumerate(messages):
            chat.add_many(message.stored(value, f"m{at}"))
        return list(chat)


def test_results_of_several_tools_are_a_message_each_and_only_the_first_has_the_raw_form():
    results = [("c1", "sum", "3"), ("c2", None, "")]
    found = stored((FrameworkMessage("user", "and this", results=results), {"n": 1}))
    assert [(one.id, one.role, one.text, one.tool_call_id, one.name, one.raw) for one in found] == [
        ("m0", "tool", "3", "c1", "sum", '{"n": 1}'),
        ("m0/1", "tool", "", "c2", None, None),
        ("m0/2", "user", "and this", None, None, None),
    ]


def test_an_assistant_comes_before_its_own_results():
    message = FrameworkMessage("assistant", "", calls=[("c1", "sum", "{}")], results=[("c1", "sum", "3")])
    assert [one.role for one in stored((message, {}))] == ["assistant", "tool"]


def test_a_message_without_text_is_stored():
    found = stored((FrameworkMessage("user", blocks=["image"]), {}), (FrameworkMessage("assistant"), {}))
    assert [(one.text, one.content[0]["type"]) for one in found] == [("", "image"), ("", "empty")]


def test_text_that_no_store_can_keep_comes_back_in_the_raw_form():
    text = "a\0b\ud800c"
    (found,) = stored((FrameworkMessage("user", text), {"text": text}))
    assert found.text == "ab?c"
    assert json.loads(found.raw) == {"text": text}


def test_the_raw_form_is_readable_unless_it_cannot_be():
    assert dump({"text": "café 日本"}) == '{"text": "café 日本"}'
    assert dump({"text": "é\ud800"}) == '{"text": "\\u00e9\\ud800"}'

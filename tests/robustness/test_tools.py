"""Tests that tool calls, tool results and parts without text are stored unchanged."""

from __future__ import annotations

import pytest

from aforesaid import ConflictError, InvalidInput, Memory

CALLS = [
    {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Lisboa","days": 3}'}},
    {"id": "call_2", "type": "custom", "custom": {"name": "shell", "input": "ls -la\n"}, "index": 1},
]
IMAGE = [{"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}}]
BLOCKS = [
    {"type": "text", "text": "Let me look."},
    {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"q": "ferry", "limit": 3}},
]


@pytest.mark.req("X20")
@pytest.mark.parametrize("content", [None, "", "Let me look.", BLOCKS])
def test_tool_calls_are_returned_verbatim(mem, content):
    chat = mem.conversation("c")
    stored = chat.add("assistant", content, tool_calls=CALLS)
    assert stored.tool_calls == CALLS
    assert stored.content == (content or "")
    assert chat.message(stored.id) == stored == chat.messages()[0]
    assert stored.tokens > 20


@pytest.mark.req("X20")
@pytest.mark.parametrize("content", ["", None, "  \n", "18 °C and dry", [{"type": "text", "text": ""}], []])
def test_a_tool_result_can_be_empty(mem, content, healthy):
    chat = mem.conversation("c")
    chat.add("assistant", None, tool_calls=CALLS)
    stored = chat.add("tool", content, tool_call_id="call_1", name="weather")
    assert stored.content == ("" if content is None else content)
    assert (stored.tool_call_id, stored.name) == ("call_1", "weather")
    assert chat.message(stored.id) == stored
    mem.flush()
    healthy(mem)


@pytest.mark.req("X20")
def test_an_empty_tool_result_without_a_call_id_is_refused(mem):
    with pytest.raises(InvalidInput):
        mem.conversation("c").add("tool", "")
    assert mem.status().spaces == 0


@pytest.mark.req("X20")
def test_an_empty_message_with_an_empty_list_of_calls_is_refused(mem):
    with pytest.raises(InvalidInput):
        mem.conversation("c").add("assistant", None, tool_calls=[])
    assert mem.status().spaces == 0


@pytest.mark.req("X20")
@pytest.mark.parametrize("calls", ["call", {"id": "1"}, [None], ["call"], 5])
def test_malformed_tool_calls_are_refused(mem, calls):
    with pytest.raises(InvalidInput, match="tool_calls"):
        mem.conversation("c").add("assistant", "words", tool_calls=calls)
    assert mem.status().spaces == 0


@pytest.mark.req("X20")
def test_a_tool_result_is_found_by_its_words(mem):
    chat = mem.conversation("c")
    stored = chat.add("tool", "the ferry leaves from quay seventeen", tool_call_id="call_1")
    assert mem.space("default").recall("quay")[0].message == stored


def test_an_image_without_text_is_stored_verbatim(mem, healthy):
    chat = mem.conversation("c")
    stored = chat.add("user", IMAGE)
    assert chat.message(stored.id).content == IMAGE
    assert (stored.text, chat.chunks(stored.id)) == ("", [])
    mem.flush()
    healthy(mem)


def test_parts_of_unknown_types_are_kept_and_their_text_is_found(mem):
    chat = mem.conversation("c")
    parts = [
        {"type": "mystery", "x": [1, {"y": None}]},
        {"type": "input_text", "text": "a heron by the lake"},
        {},
        *IMAGE,
    ]
    stored = chat.add("user", parts)
    assert chat.message(stored.id).content == parts
    assert mem.space("default").recall("heron")[0].message.id == stored.id


@pytest.mark.req("X20")
def test_a_repeated_call_is_the_same_message_and_a_changed_call_is_a_conflict(mem):
    chat = mem.conversation("c")
    stored = chat.add("assistant", None, id="m1", tool_calls=CALLS)
    assert chat.add("assistant", None, id="m1", tool_calls=CALLS) == stored
    with pytest.raises(ConflictError):
        chat.add("assistant", None, id="m1", tool_calls=CALLS[:1])
    assert chat.messages() == [stored]


@pytest.mark.req("B16", "X20")
def test_calls_results_and_images_survive_export_and_import(mem, tmp_path):
    chat = mem.conversation("c")
    chat.add("assistant", None, tool_calls=CALLS)
    chat.add("tool", "", tool_call_id="call_1")
    chat.add("user", IMAGE)
    chat.add("assistant", BLOCKS)
    mem.space("default").export(tmp_path / "out")
    with Memory(tmp_path / "other.db", worker=False) as other:
        other.import_space(tmp_path / "out")
        assert other.conversation("c").messages() == chat.messages()

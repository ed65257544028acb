"""Tests that the JSON of metadata, parts and tool calls is returned unchanged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from aforesaid import InvalidInput

LOOP: dict[str, object] = {}
LOOP["self"] = LOOP


def nested(depth: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), b"bytes", {1, 2}, datetime.now(UTC), object(), 10**5000, LOOP],
    ids=["nan", "inf", "bytes", "set", "datetime", "object", "huge", "loop"],
)
def test_values_that_json_cannot_represent_are_refused(mem, value):
    chat = mem.conversation("c")
    for extra in ({"metadata": {"x": value}}, {"tool_calls": [{"x": value}]}):
        with pytest.raises(InvalidInput, match="JSON"):
            chat.add("assistant", "words", **extra)
    with pytest.raises(InvalidInput, match="JSON"):
        chat.add("user", [{"type": "input_audio", "data": value}])
    with pytest.raises(InvalidInput, match="JSON"):
        chat.start(metadata={"x": value})
    assert mem.status().spaces == 0


@pytest.mark.parametrize("depth", [1_000, 2_000, 100_000])
def test_values_nested_too_deeply_are_refused(mem, depth):
    with pytest.raises(InvalidInput):
        mem.conversation("c").add("user", "words", metadata=nested(depth))
    assert mem.status().spaces == 0


@pytest.mark.parametrize("value", ["words", ["a"], 5, [("a", 1)]])
def test_metadata_that_is_not_a_mapping_is_refused(mem, value):
    with pytest.raises(InvalidInput, match="metadata"):
        mem.conversation("c").add("user", "words", metadata=value)
    assert mem.status().spaces == 0


def test_keys_that_are_equal_in_json_are_refused(mem):
    with pytest.raises(InvalidInput, match="metadata"):
        mem.conversation("c").add("user", "words", metadata={1: "number", "1": "text"})


JSON = {
    "order": {"z": 1, "a": 2},
    "numbers": [0, -1, 1.5, 1e300, 10**30, 0.1],
    "words": ["", "\u2028", 'quote " and \\ slash', "😀", "\ufeff"],
    "escaped": "the six characters \\u0000 and \\ud800",
    "nothing": None,
    "empty": [{}, [], False],
    "nested": nested(100),
}


def test_metadata_is_returned_unchanged(mem):
    chat = mem.conversation("c")
    stored = chat.add("user", "words", metadata=JSON)
    assert stored.metadata == JSON
    assert chat.message(stored.id) == stored
    assert list(chat.message(stored.id).metadata["order"]) == ["z", "a"]
    assert chat.start().metadata == {}


@pytest.mark.req("X20")
def test_an_escaped_nul_in_tool_call_arguments_is_stored_as_text(mem):
    chat = mem.conversation("c")
    calls = [{"id": "1", "type": "function", "function": {"name": "write", "arguments": '{"data": "\\u0000"}'}}]
    stored = chat.add("assistant", None, tool_calls=calls)
    assert chat.message(stored.id).tool_calls == calls


def test_changing_the_given_metadata_does_not_change_the_stored_copy(mem):
    chat = mem.conversation("c")
    given = {"tags": ["first"]}
    stored = chat.add("user", "words", metadata=given)
    given["tags"].append("second")
    assert chat.message(stored.id).metadata == stored.metadata == {"tags": ["first"]}


@pytest.mark.req("A16")
def test_changing_returned_metadata_does_not_change_the_next_read(mem):
    chat = mem.conversation("c")
    chat.add("user", [{"type": "text", "text": "words"}], metadata={"tag": "first"})
    read = chat.recent(include_newest=True)[0]
    read.metadata["tag"] = "changed"
    read.content[0]["text"] = "changed"
    again = chat.recent(include_newest=True)[0]
    assert (again.metadata, again.text) == ({"tag": "first"}, "words")

"""Tests that edits of JSON change only what they should, in texts with any formatting and with comments."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.errors import InvalidInput
from aforesaid.install.json_edit import append_item, find, parse, remove, set_member

pytestmark = pytest.mark.req("X25")

LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6) | st.just("// no comment, {[")
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=4)
INDENTS = st.sampled_from([None, 2, 4, "\t"])

COMMENTED = """{
    // my settings
    "theme": "dark", /* the best */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "notify"}]}, // mine
        ],
    },
}
"""


@given(OBJECTS, INDENTS, VALUES)
def test_a_member_is_added_and_removed_without_a_trace(before, indent, value):
    before = {key: each for key, each in before.items() if key != "ours"}
    text = json.dumps(before, indent=indent)
    added = set_member(text, ("ours", "deep"), value)
    assert json.loads(added) == {**before, "ours": {"deep": value}}
    assert set_member(added, ("ours", "deep"), value) == added
    assert remove(added, ("ours", "deep")) == text


@given(OBJECTS, INDENTS, st.lists(VALUES, max_size=3), VALUES)
def test_an_item_is_appended_and_removed(before, indent, items, value):
    text = json.dumps({**before, "list": items}, indent=indent)
    added = append_item(text, ("list",), value)
    assert json.loads(added) == {**before, "list": [*items, value]}
    gone = remove(added, ("list",), len(items))
    assert json.loads(gone) == (
        {**before, "list": items} if items else {key: before[key] for key in before if key != "list"}
    )
    if items:
        assert gone == text


@given(OBJECTS, INDENTS, st.data())
def test_any_member_can_be_removed(before, indent, data):
    if before:
        key = data.draw(st.sampled_from(sorted(before)))
        left = remove(json.dumps(before, indent=indent), (key,))
        assert json.loads(left) == {name: value for name, value in before.items() if name != key}


def test_comments_and_trailing_commas_stay():
    added = set_member(append_item(COMMENTED, ("hooks", "Stop"), {"new": 1}), ("servers", "ours"), {"command": "x"})
    assert parse(added).value == {
        "theme": "dark",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify"}]}, {"new": 1}]},
        "servers": {"ours": {"command": "x"}},
    }
    assert re.findall(r"//.*|/\*.*?\*/", added) == ["// my settings", "/* the best */", "// mine"]
    assert all(line in added.splitlines() for line in COMMENTED.splitlines()[:3])
    back = remove(remove(added, ("servers", "ours")), ("hooks", "Stop"), 1)
    assert parse(back).value == parse(COMMENTED).value
    assert re.findall(r"//.*|/\*.*?\*/", back) == ["// my settings", "/* the best */", "// mine"]


def test_line_ends_and_the_indent_of_the_file_are_used():
    text = '{\r\n\t"a": 1\r\n}\r\n'
    assert set_member(text, ("b",), {"c": 2}) == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n'


@pytest.mark.parametrize("text", ["", "{", '{"a" 1}', "{a: 1}", "[1, 2] 3", '{"a": 1,, }', "nonsense", '{"a": }'])
def test_a_file_that_is_not_json_is_refused(text):
    with pytest.raises(InvalidInput):
        parse(text)


def test_a_value_of_another_type_is_refused():
    with pytest.raises(InvalidInput, match="hooks is not an object"):
        set_member('{"hooks": []}', ("hooks", "Stop"), 1)
    with pytest.raises(InvalidInput, match="is not a list"):
        append_item('{"hooks": {"Stop": {}}}', ("hooks", "Stop"), 1)
    assert find('{"a": 1}', ("a", "b")) is None

"""Tests that JSON is read value by value, for any size of read."""

import io
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from aforesaid.interop.json_stream import MAX_VALUE_LENGTH, elements, repair

TEXT = st.text(max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=6)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(VALUES, max_size=5), st.integers(1, 40), st.booleans(), st.sampled_from([None, 2]))
@example([12, -1.5e300, True, "é😀\\"], 1, True, None)
def test_an_array_gives_its_elements_for_any_read_size(values, piece, plain, indent):
    text = json.dumps(values, ensure_ascii=plain, indent=indent)
    assert list(elements(io.StringIO(text), piece)) == repair(values)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.dictionaries(TEXT, VALUES, max_size=4), max_size=4), st.integers(1, 40))
def test_json_lines_give_their_values_for_any_read_size(values, piece):
    text = "\r\n\n".join(json.dumps(value, ensure_ascii=False) for value in values)
    assert list(elements(io.StringIO(text), piece)) == repair(values)


@given(st.text(max_size=60), st.integers(1, 20))
def test_any_text_gives_values_or_raises_value_error(text, piece):
    try:
        list(elements(io.StringIO(text), piece))
    except ValueError:
        return
    assert text.strip(" \t\r\n")[:1] in '[{"-0123456789tfnNI'


def test_an_empty_file_gives_no_values():
    assert list(elements(io.StringIO(" \n"))) == []


@pytest.mark.parametrize("text", ['[{"a": 1}, {"a"', '[{"a": 1} {"b": 2}]', "[1] [2]", '{"a": 1', "hello", '["\\u12'])
def test_invalid_json_raises_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        list(elements(io.StringIO(text)))


class Endless(io.TextIOBase):
    """An endless file that counts the characters read."""

    def __init__(self, begin):
        self.begin = begin
        self.read_so_far = 0

    def read(self, size=-1):
        text, self.begin = self.begin[:size], self.begin[size:]
        text += "x" * (size - len(text))
        self.read_so_far += len(text)
        return text


def test_reading_stops_at_invalid_json():
    file = Endless('[{"a": 1}, {"b" nonsense')
    with pytest.raises(ValueError, match="Expecting"):
        list(elements(file))
    assert file.read_so_far < 1_000_000


def test_a_value_over_the_length_limit_raises_value_error():
    file = Endless('[{"a": "')
    with pytest.raises(ValueError, match="characters"):
        list(elements(file))
    assert file.read_so_far <= MAX_VALUE_LENGTH + 1


@pytest.mark.parametrize("deep", [300, 100_000])
def test_too_deep_nesting_raises_value_error(deep):
    with pytest.raises(ValueError, match="nested"):
        list(elements(io.StringIO("[" * deep + "]" * deep)))


def test_nul_and_lone_surrogates_become_replacement_characters():
    text = '[{"a\\u0000": "x\\ud800y", "b": ["\\udc00", "\\ud83d\\ude00"]}]'
    assert list(elements(io.StringIO(text))) == [{"a�": "x�y", "b": ["�", "😀"]}]

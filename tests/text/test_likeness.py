from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.likeness import LIKE, alike, begins_alike, key, marks

SAME = [
    ("user prefers green tea", "User prefers green tea!"),
    ("user prefers dark-roast coffee", "user prefers dark roast coffee"),
    ("user wants short answers in plain words", "the user wants short answers in very plain words"),
    ("café au lait", "Cafe au lait"),
    ("我喜欢喝绿茶", "我喜欢喝绿茶。"),
]
OTHER = [
    ("user prefers tabs over spaces", "user prefers spaces over tabs"),
    ("user likes coffee in the morning at work", "user does not like coffee in the morning at work"),
    ("ich trinke morgens im Büro gern Kaffee", "ich trinke morgens im Büro nicht gern Kaffee"),
    ("user runs five kilometres every single morning", "user runs 5 5 kilometres every single morning"),
    ("user prefers black coffee in the office in Berlin", "user prefers black coffee in the office in Munich"),
    ("user lives in Lisbon", "user lives in Porto"),
    ("我喜欢喝绿茶", "我不喜欢喝绿茶"),
    ("", "tea"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_nearly_the_same_words(one: str, other: str):
    assert alike(one, other)
    assert alike(other, one)
    assert set(marks(one)) & set(marks(other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_word_number_order_or_a_negation_says_something_else(one: str, other: str):
    assert not alike(one, other)
    assert not alike(other, one)


def test_a_place_may_be_named_in_more_detail():
    assert begins_alike("Lisbon", "Lisbon, Portugal")
    assert not begins_alike("York", "New York")
    assert not begins_alike("June", "June 15")


words = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "not", "5"]), max_size=12
)


@given(words, words)
def test_what_is_alike_shares_a_mark(one: list[str], other: list[str]):
    first, second = " ".join(one), " ".join(other)
    if alike(first, second, LIKE):
        assert set(marks(first)) & set(marks(second))


@given(st.text())
def test_any_text_has_a_key_and_marks_and_is_like_itself(text: str):
    assert key(key(text)) == key(text)
    assert marks(text)
    assert alike(text, text)

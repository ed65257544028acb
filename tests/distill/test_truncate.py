"""Tests the truncation of a text to a number of tokens."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distill.world import count

from aforesaid.distill.truncate import truncate


def test_a_text_that_is_too_long_is_truncated_after_a_sentence():
    assert truncate("One two. Three four.", count, 50) == "One two. Three four."
    assert truncate("One two three four. " * 20 + "and so on", count, 30).endswith("four.")
    assert truncate("一二三四。" * 60, count, 30).endswith("。")


def test_a_text_without_sentences_is_truncated_after_a_word():
    text = truncate("word " * 100, count, 20)
    assert text.endswith("word…")
    assert count(text) <= 20


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters() | st.sampled_from(" .。\n"), max_size=400), st.integers(1, 60))
def test_a_truncated_text_fits_the_limit(text, most):
    short = truncate(text, count, most)
    assert not short or count(short) <= most

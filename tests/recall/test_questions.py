"""Tests the share of a text that is questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.questions import MAX_CHARACTERS, question_share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Where did you go?", 1.0),
        ("I went to Lisbon.", 0.0),
        ("", 0.0),
        ("?", 0.0),
        ("Where? There.", 0.5),
        ("Where to?\nTo Lisbon", 0.5),
        ("どこへ行きますか？", 1.0),
        ("東京です。どこですか？", 7 / 12),
        ("أين ذهبت؟", 1.0),
        ("أين ذهبت؟ ذهبت إلى القاهرة.", 9 / 26),
        ("¿Dónde estás? Estoy aquí.", 13 / 24),
        ("Why\nnot?", 4 / 7),
    ],
)
def test_question_share_is_the_fraction_of_text_in_questions(text, share):
    assert question_share(text) == pytest.approx(share, abs=0.05)


@given(st.text(max_size=200))
def test_question_share_is_between_zero_and_one(text):
    assert 0 <= question_share(text) <= 1
    if "?" not in text and "？" not in text and "؟" not in text:
        assert question_share(text) == 0.0


@given(st.text("abc .\n", min_size=1, max_size=50).filter(str.strip))
def test_adding_a_statement_lowers_the_question_share(words):
    assert question_share(f"Where is it? {words}.") < question_share("Where is it?") == 1.0


def test_only_the_beginning_of_a_long_text_is_measured():
    assert question_share("Where is it? " * MAX_CHARACTERS + "Here. " * MAX_CHARACTERS) > 0.9

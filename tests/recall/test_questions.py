"""How much of a text asks."""

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
def test_the_share_of_a_text_that_stands_in_questions(text, share):
    assert question_share(text) == pytest.approx(share, abs=0.05)


@given(st.text(max_size=200))
def test_it_is_a_share_of_every_text(text):
    assert 0 <= question_share(text) <= 1
    if "?" not in text and "？" not in text and "؟" not in text:
        assert question_share(text) == 0.0


@given(st.text("abc .\n", min_size=1, max_size=50).filter(str.strip))
def test_a_statement_more_never_makes_a_text_ask_more(words):
    assert question_share(f"Where is it? {words}.") < question_share("Where is it?") == 1.0


def test_the_beginning_of_a_long_text_tells():
    assert question_share("Where is it? " * MAX_CHARACTERS + "Here. " * MAX_CHARACTERS) > 0.9

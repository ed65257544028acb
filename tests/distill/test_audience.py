"""Whom messages were said to."""

import pytest
from tests.distill.world import AT

from aforesaid.distill.llm.model_router import message_audience
from aforesaid.models.message import Utterance


def said(words: str) -> list[Utterance]:
    """Messages by role and model: "u" a user's that names none, "aX" an assistant's that names X."""
    roles = {"u": "user", "a": "assistant", "t": "tool"}
    return [
        Utterance(f"m{seq}", seq, roles[word[0]], word[0], "Hm.", AT, word[1:] or None, 1)
        for seq, word in enumerate(words.split())
    ]


@pytest.mark.req("A9")
@pytest.mark.parametrize(
    ("words", "before", "expected"),
    [
        ("u aX u aX", None, "X X X X"),
        ("u aX u aY", None, "X X Y Y"),  # who answers was asked
        ("u a u aY", "X", "X X Y Y"),  # an answer that names nobody is the earlier one's
        ("u u t aY", "X", "X X X Y"),
        ("uX a u a", None, "X X X X"),
        ("uX a uY a", None, "X X Y Y"),
        ("aX u u", None, "X X X"),  # nobody has answered yet
        ("u a u", None, "- - -"),
        ("", "X", ""),
    ],
)
def test_a_message_was_said_to_who_answers_it(words, before, expected):
    assert message_audience(said(words), before) == [None if name == "-" else name for name in expected.split()]

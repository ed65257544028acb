"""Tests which model each message is assigned to."""

import pytest
from tests.distill.world import AT

from aforesaid.distill.llm.model_router import message_audience
from aforesaid.models.message import Utterance


def said(words: str) -> list[Utterance]:
    """Makes messages from role and model: "u" is a user message without a model, "aX" is one of assistant X."""
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
        ("u aX u aY", None, "X X Y Y"),  # the assistant that replies is the recipient
        ("u a u aY", "X", "X X Y Y"),  # a reply without a model belongs to the previous model
        ("u u t aY", "X", "X X X Y"),
        ("uX a u a", None, "X X X X"),
        ("uX a uY a", None, "X X Y Y"),
        ("aX u u", None, "X X X"),  # no reply yet
        ("u a u", None, "- - -"),
        ("", "X", ""),
    ],
)
def test_a_message_is_assigned_to_the_model_that_replies(words, before, expected):
    assert message_audience(said(words), before) == [None if name == "-" else name for name in expected.split()]

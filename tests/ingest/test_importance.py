"""Tests the importance score of messages."""

import pytest

from aforesaid.ingest.importance import IMPORTANCE_RULES, ImportanceRule, score

pytestmark = pytest.mark.req("A7")


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("user", "", 0.5),
        ("user", "I had soup today.", 0.5),
        ("user", "You had soup?", 0.7),
        ("user", "你吃了吗？", 0.7),
        ("user", "هل أكلت؟", 0.7),
        ("user", "Έφαγες\u037e", 0.7),
        ("user", "  Where the soup is", 0.7),
        ("user", "What's up", 0.7),
        ("user", "Whatever. However.", 0.5),
        ("user", "run `make` now", 0.65),
        ("user", "```\nx\n```", 0.65),
        ("user", "the class of 1999", 0.65),
        ("user", "classical functional default", 0.5),
        ("user", "there were errors", 0.6),
        ("user", "An Exception and a PROBLEM", 0.6),
        ("user", "a terrorist tissue", 0.5),
        ("user", "x" * 200, 0.5),
        ("user", "x" * 201, 0.6),
        ("assistant", "Soup it was.", 0.55),
        ("assistant", "Why does the function raise an error? " + "x" * 200, 1.0),
    ],
)
def test_rule_scores_add_up(role, text, expected):
    assert score(role, text) == expected


def test_an_error_in_code_scores_0_75():
    assert score("user", "Error in function ```calculateDose()```") == 0.75


def test_a_rule_can_be_added():
    urgent = ImportanceRule("urgent", 0.3, lambda role, text: role == "user" and "urgent" in text)
    assert score("user", "this is urgent", (*IMPORTANCE_RULES, urgent)) == 0.8
    assert score("assistant", "this is urgent", (*IMPORTANCE_RULES, urgent)) == 0.55


def test_a_negative_rule_lowers_the_score_to_zero_at_most():
    assert score("user", "ok", (*IMPORTANCE_RULES, ImportanceRule("filler", -0.2, lambda _, text: text == "ok"))) == 0.3
    assert score("user", "ok", (ImportanceRule("never", -7, lambda *_: True),)) == 0.0


def test_a_score_is_at_most_one():
    assert score("user", "ok", (ImportanceRule("always", 7, lambda *_: True),)) == 1.0


def test_only_the_beginning_of_a_very_long_text_is_read():
    assert score("user", "x " * 20_000 + "error?") == 0.6
    assert score("user", "`" * 1_000_000) == 0.75

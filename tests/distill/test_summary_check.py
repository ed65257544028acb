"""Tests the check that rejects bad summaries of small models."""

import pytest
from tests.distill.world import say

from aforesaid.distill.summaries.summary_writer import summary_fault

SAID = say(
    (
        "user",
        "Which medicines do I take in the morning? I mean Farxiga and Janumet, and how much of each. " * 3,
    ),
    ("assistant", "In the morning you take Farxiga 10 mg and Janumet 50 mg with breakfast, never before it. " * 4),
)
GOOD = "User asked about Farxiga and Janumet; the morning dosages were confirmed."

pytestmark = pytest.mark.req("A11")


def test_a_short_summary_with_words_of_the_conversation_is_accepted():
    assert summary_fault(GOOD, SAID) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{GOOD} {'Farxiga and Janumet in the morning. ' * 8}", "more than 300"),
        ("Here's a summary: Farxiga and Janumet.", "like an answer"),
        ("here’s Farxiga in the morning", "like an answer"),
        ("Certainly! Farxiga in the morning.", "like an answer"),
        ("Let me tell you about Farxiga in the morning.", "like an answer"),
        ("I'll create a plan for Farxiga in the morning.", "like an answer"),
        ("Farxiga in the morning ```x```", "code fence"),
        ("Title: Farxiga in the morning", "title"),
        ("Once upon a morning Farxiga met Janumet.", "story"),
        ("In fields where Farxiga grows in the morning", "story"),
        ("Golden rivers whisper beneath silver mountains tonight.", "10 %"),
        ("  \n", "empty"),
    ],
)
def test_a_bad_summary_is_rejected_with_a_reason(text, reason):
    assert reason in (summary_fault(text, SAID) or "")


def test_an_opening_phrase_is_rejected_only_at_the_start():
    assert summary_fault("User asked: let me know about Farxiga in the morning.", SAID) is None


def test_a_summary_must_be_shorter_than_a_share_of_a_short_conversation():
    assert "30 %" in (summary_fault("User takes Farxiga.", say(("user", "I take Farxiga daily."))) or "")

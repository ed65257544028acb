"""Tests that a context recalls nothing when a question is about somebody else, and something when it is not."""

import pytest

from aforesaid import Memory
from aforesaid.bench import own
from aforesaid.bench.dataset import FixedClock, load_haystack

CORPUS = {haystack.space: haystack for haystack in own.load()}


def share_without_recall(space, asked):
    """The share of the questions to one dialogue of the corpus whose context, in another dialogue, recalls nothing."""
    haystack = CORPUS[space]
    questions = [question.text for question in CORPUS[asked].questions if question.gold]
    with Memory(":memory:", worker=False, clock=FixedClock(haystack.now)) as memory:
        load_haystack(memory, haystack)
        chat = memory.space(space).conversation("now")
        return sum(not chat.context(text, max_tokens=1000).recalled for text in questions) / len(questions)


@pytest.mark.req("X33")
@pytest.mark.parametrize(("space", "least"), [("dialogue_runners", 0.15), ("dialogue_french_soeurs", 0.8)])
def test_a_context_recalls_nothing_for_many_questions_to_somebody_else(space, least):
    """The corpus fitted the function, so this is no measurement: docs/how-it-works.md has that of other chats."""
    assert share_without_recall(space, "dialogue_band") >= least
    assert share_without_recall(space, space) <= 0.03


def test_a_context_recalls_for_a_statement_and_recall_for_any_question():
    haystack = CORPUS["dialogue_runners"]
    with Memory(":memory:", worker=False, clock=FixedClock(haystack.now)) as memory:
        load_haystack(memory, haystack)
        space = memory.space(haystack.space)
        silent = [
            question.text
            for question in CORPUS["dialogue_band"].questions
            if not space.conversation("now").context(question.text, max_tokens=1000).recalled
        ]
        assert silent
        for text in silent:
            assert space.recall(text)
            assert space.conversation("now").context(text.replace("?", "."), max_tokens=1000).recalled

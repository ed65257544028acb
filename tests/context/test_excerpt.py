"""Tests that a context with little room shows the best sentences of long messages of users, and marks them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.context.world import O200K, context, hit, material

from aforesaid.context.excerpt import CUT, excerpt, word_count
from aforesaid.context.quote import quote_hit
from aforesaid.context.render import quote_lines

BEFORE = "We had such a long week, and the weather was so strange that nobody wanted to leave the house at all."
FACT = "My sister Marta moved to Ghent in May 2018."
AFTER = "Anyway, could you please suggest a few things that we could cook together on a quiet evening like this one?"
LONG = f"{BEFORE} {FACT} {AFTER}"
QUESTION = "When did Marta move to Ghent?"


def quote(text: str = LONG, **rest: Any) -> Any:
    found = hit(1, text, **rest)
    return quote_hit(found, found.message, found.chunk)


def test_the_sentence_that_matches_the_question_is_shown_between_marks():
    short = excerpt(quote(name="Ana"), LONG, QUESTION)
    assert short.text == f"{CUT} {FACT} {CUT}"
    assert short.words == (word_count(FACT), word_count(LONG))
    assert quote_lines(short) == f"Ana> {CUT} {FACT} {CUT}"
    assert excerpt(quote(f"{FACT} {BEFORE} {AFTER}"), LONG, QUESTION).text == f"{FACT} {CUT}"
    both = f"{FACT} {BEFORE} Marta said that Ghent was quiet in May. {AFTER}"
    assert excerpt(quote(both), both, QUESTION).text.count(CUT) == 2


def test_a_part_of_a_message_is_marked_at_both_ends():
    part = f"{FACT} {BEFORE} {AFTER}"
    short = excerpt(quote(f"{part} {BEFORE}", chunk=part), f"{part} {BEFORE}", QUESTION)
    assert short.text == f"{CUT} {FACT} {CUT}"
    assert short.words == (word_count(FACT), word_count(f"{part} {BEFORE}"))


@pytest.mark.parametrize(
    "whole",
    [
        quote(role="assistant"),
        quote(role="assistant", name="Bo"),
        quote(role="tool"),
        quote(kind="code"),
        quote(f"Hello there! {FACT} Thanks!"),
        quote(LONG.replace(".", ",").replace("?", ",")),
    ],
    ids=["assistant", "named", "tool", "code", "short", "one sentence"],
)
def test_anything_but_a_long_message_of_a_user_stays_whole(whole):
    assert excerpt(whole, whole.text, QUESTION) is whole


def test_words_are_counted_in_scripts_without_spaces():
    assert (word_count("We moved in 2018."), word_count("我住在上海。")) == (4, 5)


@given(st.text(min_size=1).filter(str.strip), st.text())
def test_an_excerpt_has_only_text_of_the_message(text, question):
    made = quote(f"{text} {LONG} {text}")
    short = excerpt(made, made.text, question)
    for part in short.text.split(CUT) if short.words else [short.text]:
        assert "".join(part.split()) in "".join(made.text.split())


def recalled(most: int, *hits: Any, recipe: str = "balanced") -> Any:
    return context(material((), QUESTION, hits=hits), QUESTION, recipe, max_tokens=most)


def hits(number: int) -> list[Any]:
    return [hit(at, f"{LONG} Number {at}.", 0.9 - at / 100, conversation=f"c{at}", name="Ana") for at in range(number)]


@pytest.mark.parametrize("recipe", ["balanced", "retrieval"])
def test_with_little_room_more_messages_are_shown_and_the_receipt_says_that_they_are_excerpts(recipe):
    made = recalled(300, *hits(9), recipe=recipe)
    reasons = {item.id: item.reason for item in made.receipt.items if item.included and item.section == "recalled"}
    assert len(reasons) > 300 // O200K(LONG)
    cut = [one for one in made.recalled if one.words]
    assert cut
    for one in cut:
        assert FACT in one.text
        assert reasons[one.id].endswith(f", an excerpt of {one.words[0]} of {one.words[1]} words")
        assert f"# {one.conversation}, 2026-03-01\nAna> {CUT} {FACT} {CUT}" in made.text
    assert made.tokens <= 300


def test_what_fits_whole_is_whole():
    assert [one.words for one in recalled(300, *hits(2)).recalled] == [None, None]
    assert not any(one.words for one in recalled(600, *hits(30)).recalled)
    mixed = recalled(300, *hits(4)).recalled
    assert mixed[0].words is None
    assert mixed[-1].words is not None

"""Tests that duplicate texts are marked and different texts are not."""

from hypothesis import given
from hypothesis import strategies as st

from aforesaid.recall.merge import MIN_WORDS, mark_duplicates

WORDS = st.lists(st.sampled_from(["heron", "stork", "crane", "ibis", "egret", "harbour", "weir"]), max_size=12)
TEXTS = st.lists(WORDS.map(" ".join), max_size=10)
LONG = "The ferry to the island leaves the northern harbour every morning at seven from pier nine"


def kept(*texts):
    return [at for at, again in mark_duplicates(enumerate(texts)) if not again]


@given(TEXTS)
def test_items_keep_their_order_and_the_first_is_never_a_duplicate(texts):
    found = list(mark_duplicates(enumerate(texts)))
    assert [at for at, _ in found] == list(range(len(texts)))
    assert not any(again for _, again in found[:1])


@given(TEXTS)
def test_the_kept_texts_have_no_duplicate(texts):
    chosen = [texts[at] for at in kept(*texts)]
    assert kept(*chosen) == list(range(len(chosen)))


@given(TEXTS)
def test_a_text_that_differs_in_case_and_white_space_is_a_duplicate(texts):
    shouted = [f"  {text.upper()}\n" for text in texts]
    assert [at for at in kept(*texts, *shouted) if at >= len(texts)] == []


def test_a_long_text_that_differs_in_one_word_is_a_duplicate():
    assert kept(LONG, f"{LONG}!", f"So, {LONG}", f"{LONG} today") == [0]


def test_a_long_text_with_other_content_is_not_a_duplicate():
    assert kept(LONG, LONG.replace("seven", "nine").replace("northern", "southern")) == [0, 1]
    assert kept(LONG, f"{LONG}, and costs twelve euros for adults with a bicycle") == [0, 1]


def test_short_texts_are_duplicates_only_if_they_match_exactly():
    assert kept("I like tea", "I like coffee", "i like  TEA", "I like tea!") == [0, 1, 3]
    assert kept("yes", "no", "yes") == [0, 1]
    assert MIN_WORDS > 3

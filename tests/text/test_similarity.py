from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.similarity import SIMILAR, comparison_key, lookup_terms, same_beginning, same_text

SAME = [
    ("user prefers green tea", "User prefers green tea!"),
    ("user prefers dark-roast coffee", "user prefers dark roast coffee"),
    ("user wants short answers in plain words", "the user wants short answers in very plain words"),
    ("café au lait", "Cafe au lait"),
    ("我喜欢喝绿茶", "我喜欢喝绿茶。"),
    ("Anna doesn't drive to work", "Anna does not drive to work"),
    ("I'm still living in the old harbour", "I am living in an old harbour"),
    ("j'aime le café noir", "J'aime les cafe noir"),
]
OTHER = [
    ("user prefers tabs over spaces", "user prefers spaces over tabs"),
    ("user likes coffee in the morning at work", "user does not like coffee in the morning at work"),
    ("ich trinke morgens im Büro gern Kaffee", "ich trinke morgens im Büro nicht gern Kaffee"),
    ("user runs five kilometres every single morning", "user runs 5 5 kilometres every single morning"),
    ("user prefers black coffee in the office in Berlin", "user prefers black coffee in the office in Munich"),
    ("user lives in Lisbon", "user lives in Porto"),
    ("我喜欢喝绿茶", "我不喜欢喝绿茶"),
    ("", "tea"),
    ("take the pills before lunch", "take the pills after lunch"),
    ("the heating in the hall is turned on", "the heating in the hall is turned off"),
    ("coffee with milk in the morning", "coffee without milk in the morning"),
    ("he owes her 20 euros", "she owes him 20 euros"),
    ("the train leaves from Porto to Braga", "the train leaves to Porto from Braga"),
    ("keep the logs in the database", "keep the logs out of the database"),
    ("user wants to run a marathon", "user wants to run a half marathon"),
    ("Termine vor dem Mittag in Köln", "Termine nach dem Mittag in Köln"),
    ("der Hund beißt den Mann", "den Hund beißt der Mann"),
    ("le train part avant midi", "le train part après midi"),
    ("el tren sale con retraso", "el tren sale sin retraso"),
    ("user prefers C++", "user prefers C"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_near_identical_texts_are_the_same(one: str, other: str):
    assert same_text(one, other)
    assert same_text(other, one)
    assert set(lookup_terms(one)) & set(lookup_terms(other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_changed_word_number_order_or_negation_makes_texts_different(one: str, other: str):
    assert not same_text(one, other)
    assert not same_text(other, one)


MUCH_LIKE = [
    ("user prefers green tea in the morning", "user prefers strong green tea in the morning", True),
    ("user prefers meetings before noon", "user prefers meetings after noon", False),
    ("user prefers green tea in the morning", "user never prefers green tea in the morning", False),
    ("user has cats in the house", "user has 2 cats in the house", False),
]


@pytest.mark.parametrize(("one", "other", "much"), MUCH_LIKE)
def test_similar_texts_may_differ_by_extra_words(one: str, other: str, much: bool):
    assert same_text(one, other, SIMILAR) == same_text(other, one, SIMILAR) == much
    assert not same_text(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Lisbon", "Lisbon, Portugal"), ("Globex", "Globex Industries"), ("Frankfurt", "Frankfurt am Main"),
     ("The Hague", "Hague"), ("القاهرة", "القاهرة، مصر")],
)  # fmt: skip
def test_a_more_detailed_name_has_the_same_beginning(one: str, other: str):
    assert same_beginning(one, other)
    assert same_beginning(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("York", "New York"), ("June", "June 15"), ("v2", "v2 beta"), ("v2", "v2 Beta"), ("Java", "JavaScript"),
     ("open", "not open"), ("Paris", "not Paris"), ("turned on", "turned off"), ("with milk", "without milk"),
     ("green tea", "green tea with milk"), ("before lunch", "before lunch, after dinner"), ("she", "her")],
)  # fmt: skip
def test_a_different_continuation_is_another_value(one: str, other: str):
    assert not same_beginning(one, other)
    assert not same_beginning(other, one)


words = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "not", "5"]), max_size=12
)


@given(words, words)
def test_similar_texts_share_a_lookup_term(one: list[str], other: list[str]):
    first, second = " ".join(one), " ".join(other)
    if same_text(first, second, SIMILAR):
        assert set(lookup_terms(first)) & set(lookup_terms(second))


@given(st.text())
def test_any_text_has_a_stable_key_and_lookup_terms_and_equals_itself(text: str):
    assert comparison_key(comparison_key(text)) == comparison_key(text)
    assert lookup_terms(text)
    assert same_text(text, text)

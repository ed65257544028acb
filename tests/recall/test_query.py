"""Tests the parsing of a question: persons, speakers, time, identifiers and content words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid import InvalidInput
from aforesaid.recall.query import LONGEST, named_speakers, parse_query, without_names
from aforesaid.text.questions import grammatical_persons

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Where did I park?", True, False),
        ("What's my dog called?", True, False),
        ("What did you suggest?", False, True),
        ("What did you tell me about our trip?", True, True),
        ("I’m looking for the book", True, False),
        ("Which film are we seeing, now that we've booked?", True, False),
        ("Which book is it that you're reading?", False, True),
        ("what will you’ll bring", False, True),
        ("Where does she live?", False, False),
        ("The island of Youth in India", False, False),
        ("Wo habe ich geparkt?", True, False),
        ("Was hast du vorgeschlagen?", False, True),
        ("Où ai-je garé ma voiture, j'ai oublié", True, False),
        ("Qu'est-ce que vous proposez ?", False, True),
        ("¿Dónde están mis llaves?", True, False),
        ("¿Qué recomienda usted?", False, True),
        ("Dove sono i miei occhiali?", True, False),
        ("O que você sugeriu?", False, True),
        ("Onde está o meu carro?", True, False),
        ("Waar heb ik geparkeerd?", True, False),
        ("Wat stelde jij voor?", False, True),
        ("私の犬の名前は？", False, False),
    ],
)
def test_grammatical_persons_of_a_question_are_detected(text, first, second):
    assert grammatical_persons(text) == (first, second)
    assert (parse_query(text, NOW).first, parse_query(text, NOW).second) == (first, second)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("What should I wear?", True),
        ("How do we reset it?", True),
        ("Do I need to water my fern?", True),
        ("How did I get there?", False),
        ("How much money can we spend?", False),
        ("Which train did you say we can take?", False),
        ("Welchen Zug kann ich nehmen?", True),
        ("Combien dois-je payer ?", True),
        ("¿Qué debo llevar?", True),
        ("Welke trein moet ik nemen?", True),
        ("Where is my fern?", False),
    ],
)
def test_a_question_for_advice_is_detected(text, advice):
    assert parse_query(text, NOW).advice is advice


NAMES = ("Ann", "O'Brien", "Jean-Luc", "C++ Bot", "Zoë", "राम", "Čeněk")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Ann say?", {"Ann"}),
        ("what did ann say?", {"Ann"}),
        ("Ann's dog and ANN’S cat", {"Ann"}),
        ("The annual banner of Annie", set()),
        ("Is it (Ann)?", {"Ann"}),
        ("What does O'Brien think?", {"O'Brien"}),
        ("O'Brien's boat", {"O'Brien"}),
        ("Where is Jean-Luc, and where is Zoë?", {"Jean-Luc", "Zoë"}),
        ("What did C++ Bot answer?", {"C++ Bot"}),
        ("राम कहाँ रहता है?", {"राम"}),
        ("रामायण कब लिखी गई?", set()),
        ("Kde bydlí Čeněk?", {"Čeněk"}),
        ("Ann2 is somebody else", set()),
        ("nobody at all", set()),
    ],
)
def test_speaker_names_match_only_whole_words(text, found):
    assert {NAMES[number] for number in named_speakers(text, NAMES)} == found


@given(st.text(min_size=1, max_size=12).filter(str.strip), st.text(max_size=30))
def test_any_name_can_be_searched_and_removed(name, text):
    named_speakers(text, [name])
    assert len(without_names(text, [name])) <= max(len(text), 1)


@given(st.sampled_from(["Ann", "O'Brien", "Jean-Luc", "C++ Bot", "Zoë", "Dr. No"]))
def test_removing_a_name_keeps_the_other_words(name):
    text = without_names(f"What did {name} say about {name.upper()}'s boat?", [name])
    assert named_speakers(text, [name]) == frozenset()
    assert text.split() == ["What", "did", "say", "about", "boat?"]


def test_a_name_inside_a_word_is_not_removed():
    assert without_names("Ann read the annual", ["Ann"]).split() == ["read", "the", "annual"]


def test_a_parsed_query_has_identifiers_terms_and_time():
    query = parse_query("When did you fix parse_config last week?", NOW)
    assert query.identifiers == ("parseconfig",)
    assert {"iparseconfig", "wfix"} <= set(query.terms)
    assert (query.when.start, query.when.stop) == (
        datetime(2026, 2, 16, tzinfo=UTC),
        datetime(2026, 2, 23, tzinfo=UTC),
    )
    assert query.wants_time
    assert parse_query("Where is it?", NOW).when is None
    assert not parse_query("Where is it?", NOW).wants_time


def test_a_long_question_is_truncated_and_an_empty_one_is_rejected():
    assert len(parse_query("heron " * LONGEST, NOW).text) == LONGEST
    with pytest.raises(InvalidInput, match="empty"):
        parse_query(" \n", NOW)

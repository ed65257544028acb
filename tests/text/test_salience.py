"""Tests the salience of sentences and messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.salience import FEATURES, LONGEST, message_salience, sentence_features, sentences

ASKED_FOR_LATER = (
    "My sister Ana moved to Porto in May.",
    "I paid 900 € for the flight last week.",
    "Meine Schwester wohnt seit drei Jahren in Bremen.",
    "Mi hermana compró un piso en Valencia hace dos años.",
    "Mon frère a acheté une voiture la semaine dernière.",
    "Mio fratello ha comprato una macchina il mese scorso.",
    "A minha irmã comprou um apartamento no Porto em maio.",
    "Mijn zus heeft vorige week twee honden geadopteerd.",
)
SMALL_TALK = (
    "Thanks, that sounds great!",
    "Can you recommend a good book?",
    "Danke, das klingt super!",
    "¿Me puedes ayudar con esto?",
    "Merci, c'est génial !",
    "Grazie, certo!",
    "Obrigado, claro!",
    "Bedankt, klinkt leuk!",
)


@pytest.mark.parametrize(("fact", "talk"), list(zip(ASKED_FOR_LATER, SMALL_TALK, strict=True)))
def test_a_statement_is_more_salient_than_small_talk_in_every_language(fact: str, talk: str):
    assert message_salience(fact, person=True) > 2 * message_salience(talk, person=True)


def test_a_message_is_as_salient_as_its_best_sentence():
    best = message_salience(ASKED_FOR_LATER[0], person=True)
    assert message_salience(f"Hi! {ASKED_FOR_LATER[0]} How are you?", person=True) == pytest.approx(best)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two!  Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("She said “no.” Then left.", ["She said “no.", "Then left."]),
        ("Version 1.2.3 is out... really\n\n\nyes", ["Version 1.2.3 is out...", "really", "yes"]),
        ("猫を飼った。名前はタマ！かわいい", ["猫を飼った。", "名前はタマ！", "かわいい"]),
        ("\n \n.\n", ["."]),
    ],
)
def test_sentences_end_at_marks_and_line_ends(text: str, parts: list[str]):
    assert sentences(text) == parts


@pytest.mark.parametrize(
    ("sentence", "feature", "value"),
    [
        ("We met Ana Lima in Porto and I left with Ana-Maria", "names", 3.0),
        ("Anna left. Then I slept (Ok) and I'm fine", "names", 0.0),
        ("It costs 5 €", "money", 1.0),
        ("It begins at 18:30", "money", 1.0),
        ("It begins at 8 or 9", "money", 0.0),
        ("my mine my ours", "possessive", 2.0),
        ("猫を飼っていた人", "short", 0.0),
        ("ok, 猫", "short", 1.0),
    ],
)
def test_a_sentence_has_features(sentence: str, feature: str, value: float):
    assert sentence_features(sentence, person=True)[FEATURES.index(feature)] == value


def test_what_a_person_says_is_more_salient_than_the_same_words_of_an_assistant():
    assert message_salience(ASKED_FOR_LATER[1], person=True) > message_salience(ASKED_FOR_LATER[1], person=False)


@given(st.text(), st.booleans())
def test_every_text_has_a_salience(text: str, person: bool):
    assert 0 <= message_salience(text, person=person) <= 1
    assert len(sentence_features(text, person=person)) == len(FEATURES)


def test_only_the_beginning_of_a_long_message_is_read():
    text = "hello " * LONGEST
    assert message_salience(text + ASKED_FOR_LATER[0], person=True) == message_salience(text, person=True)

"""Tests the extraction of topics in any language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.distill.world import say

from aforesaid.distill.summaries.topics import MOST_TOPICS, topics


def test_words_repeated_across_messages_are_topics():
    found = topics(say(
        ("user", "My greenhouse needs new glass."),
        ("assistant", "Which glass does the greenhouse have, and how old is the frame?"),
        ("user", "The greenhouse has float glass; the frame is from 1970."),
    ))  # fmt: skip
    assert {word.lower() for word in found[:3]} == {"greenhouse", "glass", "frame"}


def test_common_words_are_not_topics():
    found = topics(say(("user", "Thanks, that sounds really great!"), ("assistant", "Yeah, I think so too, thanks!")))
    assert found == ()


@pytest.mark.req("X12")
def test_a_secret_is_not_a_topic():
    found = topics(say(
        ("user", "The wifi password is s3cr3tP4ss, in the garden too."),
        ("assistant", "Noted: wifi, password=s3cr3tP4ss, garden."),
    ))  # fmt: skip
    assert {"wifi", "garden"} <= set(found)
    assert not {"s3cr3tP4ss", "masked"} & set(found)


def test_names_and_identifiers_rank_above_common_words():
    found = topics(say(
        ("user", "The service calls parse_config and then Postgres; the service restarts."),
        ("assistant", "So parse_config fails before Postgres answers, and the service restarts."),
    ))  # fmt: skip
    assert set(found[:2]) == {"parse_config", "Postgres"}


@pytest.mark.req("X13")
@pytest.mark.parametrize(
    ("lines", "topic"),
    [
        (("明天的会议取消了。", "会议改到周五。", "会议在东京。"), "会议"),
        (("Die Heizung ist kaputt.", "Seit wann ist die Heizung kaputt?"), "Heizung"),
        (("La chaudière fuit.", "Depuis quand la chaudière fuit ?"), "chaudière"),
        (("Отопление не работает.", "Когда отопление сломалось?"), "топление"),
    ],
)
def test_topics_are_found_in_any_language(lines, topic):
    assert any(topic in word for word in topics(say(*[("user", line) for line in lines])))


@settings(deadline=None)
@given(st.lists(st.text(max_size=200), max_size=6))
def test_topics_are_distinct_not_blank_and_limited_in_number(texts):
    found = topics(say(*[("user", text) for text in texts]))
    assert len(found) <= MOST_TOPICS
    assert len(set(found)) == len(found)
    assert all(word.strip() and "\n" not in word for word in found)

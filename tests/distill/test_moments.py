"""Moments, stories, and what they weigh."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.distill.moments.find import moments
from recollect.distill.moments.group import shifts, stories
from recollect.distill.moments.tone import tone
from recollect.distill.moments.weigh import significance, valence
from recollect.records import Utterance

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


def said(seq: int, text: str, role: str = "user", at: datetime = AT) -> Utterance:
    return Utterance(f"m{seq}", seq, role, role, text, at, None, 1)  # type: ignore[arg-type]


def types(text: str, role: str = "user") -> list[str]:
    return [moment.type for moment in moments(said(0, text, role))]


@pytest.mark.req("B8")
@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("We have decided against the merger.", "decision_made"),
        ("The leak is finally fixed.", "problem_solved"),
        ("It just clicked!", "breakthrough"),
        ("I found a memory leak in the cache.", "issue_identified"),
        ("The report is done.", "task_completed"),
        ("Change of plans, we start over.", "pivot"),
        ("Das Problem ist gelöst.", "problem_solved"),
        ("Jetzt verstehe ich, warum es so langsam war.", "breakthrough"),
        ("Nous avons changé d'avis hier soir.", "pivot"),
        ("Hemos encontrado el error en la consulta.", "issue_identified"),
        ("Abbiamo consegnato il progetto questa mattina.", "task_completed"),
        ("Mudamos de ideia sobre a viagem.", "pivot"),
        ("We hebben de oorzaak van de storing gevonden.", "issue_identified"),
    ],
)
def test_each_type_is_found_in_its_language(text, type):
    assert types(text) == [type]


@pytest.mark.parametrize(
    "text",
    [
        "We didn't fix the bug.", "If we decided to stop, what then?", "Did that fix the bug?",
        "Once the report is done, I rest.",
        "My boss said we decided to stop.", "> We decided to stop.", '"We decided to stop."', "`We decided to stop.`",
        "Write a poem in which we decided to stop.", "I hope the bug is fixed soon.",
        "We decided to stop, just kidding /s",
        "Das Problem ist nicht gelöst.", "Le problème n'est pas résolu.", "No hemos decidido nada.", "", "?!",
    ],
)  # fmt: skip
def test_what_did_not_happen_is_no_moment(text):
    assert types(text) == []


def test_an_assistant_can_name_an_issue_and_nothing_more():
    assert types("The root cause is a race in the queue.", "assistant") == ["issue_identified"]
    assert types("I fixed the bug and we decided to stop.", "assistant") == []
    assert types("The root cause is a race in the queue.", "tool") == []


@given(st.text(max_size=300))
def test_every_text_is_taken_and_a_moment_stands_in_it(text):
    for moment in moments(said(0, text)):
        assert moment.sentence in text
        assert 0 <= moment.at <= len(moment.sentence)


def test_a_story_leads_from_an_issue_to_its_end():
    window = [
        said(0, "The import keeps failing on large files."),
        said(1, "How large are they?", "assistant"),
        said(2, "About two gigabytes."),
        said(3, "I fixed the problem by streaming them."),
        said(4, "Nice.", "assistant"),
    ]
    [story] = stories(window, [moment for one in window for moment in moments(one)])
    assert (story.first, story.last) == (0, 4)
    assert significance(story) == pytest.approx(0.75)
    assert valence(story, window) > 0


def test_a_pause_begins_a_new_topic():
    window = [said(0, "hello there"), said(1, "again me", at=AT + timedelta(hours=5))]
    assert shifts(window) == {1}


def test_other_words_begin_a_new_topic():
    cars = "engine gearbox brake clutch exhaust wheel tyre piston valve radiator motor axle bumper mirror pedal fuel"
    cakes = "flour sugar butter eggs vanilla oven icing cream chocolate batter dough whisk almond yeast honey tin"
    window = [said(n, f"{cars} {n}") for n in range(4)] + [said(4 + n, f"{cakes} x{n}") for n in range(4)]
    assert 4 in shifts(window)
    assert shifts([said(n, f"{cars} {n}") for n in range(8)]) == frozenset()


def test_stories_never_overlap():
    window = [said(n, "We decided to buy a boat." if n % 3 == 0 else f"Word {n}.") for n in range(30)]
    told = stories(window, [moment for one in window for moment in moments(one)])
    assert all(one.last < other.first for one, other in pairwise(told))


def test_good_and_bad_words_make_the_tone():
    assert tone(["This is great, I am so happy!"]) > 0
    assert tone(["Das ist leider schlecht und traurig."]) < 0
    assert tone(["I am not happy with this."]) < 0
    assert tone(["The table is made of wood."]) == 0
    assert tone([]) == 0


@given(st.lists(st.text(max_size=100), max_size=5))
def test_the_tone_stays_in_its_bounds(texts):
    assert -1 < tone(texts) < 1

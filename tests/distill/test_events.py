"""Tests the detection of events, their grouping into episodes, and their significance and sentiment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.distill.episodes.event_mentions import event_mentions, group_mentions, topic_shifts
from aforesaid.distill.episodes.significance import sentiment, significance, valence
from aforesaid.models.message import Utterance

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


def said(seq: int, text: str, role: str = "user", at: datetime = AT) -> Utterance:
    return Utterance(f"m{seq}", seq, role, role, text, at, None, 1)  # type: ignore[arg-type]


def types(text: str, role: str = "user") -> list[str]:
    return [moment.type for moment in event_mentions(said(0, text, role))]


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
def test_each_event_type_is_found_in_its_language(text, type):
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
def test_negated_hypothetical_and_quoted_events_are_ignored(text):
    assert types(text) == []


@pytest.mark.req("B8")
@pytest.mark.parametrize(
    "text",
    [
        "I thought I had fixed it, but it's still broken.",
        "I fixed the bug, but it came back.",
        "I fixed the bug but it came back an hour later.",
        "I fixed the login bug, or so I thought.",
        "I fixed the bug. But it came back.",
        "I fixed the bug. However, it still crashes.",
        "Fixed the leak, but it's back.",
        "I thought we fixed the bug.",
        "That did it! But then it broke again.",
        "We solved the problem, but unfortunately it still happens.",
        "It works now, but not for long.",
        "Ich dachte, wir haben den Fehler behoben.",
        "Ich habe den Fehler behoben, aber er ist noch da.",
        "Wir haben den Bug gefixt, dachte ich zumindest.",
        "Wir haben den Fehler behoben, aber er ist wieder aufgetreten.",
        "Das Problem ist gelöst, aber es kam wieder.",
        "J'ai corrigé le bug, mais il est revenu.",
        "Je pensais que nous avons résolu le problème.",
        "J'ai corrigé le bug, du moins je croyais.",
        "J'ai réparé le serveur, mais il est toujours en panne.",
        "Hemos resuelto el problema, pero ha vuelto.",
        "Creía que hemos resuelto el problema.",
        "Arreglé el error, o eso creía.",
        "Arreglé el error, pero sigue fallando.",
        "Ho risolto il problema, ma è tornato.",
        "Pensavo: ho risolto il problema, o così credevo.",
        "Abbiamo corretto il bug, ma è ancora lì.",
        "Resolvi o problema, mas voltou.",
        "Corrigi o erro, ou assim pensava.",
        "Pensei que resolvemos o problema.",
        "We hebben de bug opgelost, maar hij is weer terug.",
        "Ik heb het probleem opgelost, dacht ik.",
        "Ik dacht dat we het probleem hebben opgelost.",
        "We hebben de bug gefixt, maar hij is er nog steeds niet.",
    ],
)
def test_a_failed_fix_is_not_a_solved_problem(text):
    assert set(types(text)).isdisjoint({"problem_solved", "breakthrough"})


@pytest.mark.parametrize(
    "text",
    [
        "I fixed the bug.",
        "I fixed the bug, but it took hours.",
        "I fixed the bug, and then I went back to sleep.",
        "I thought it was the cache, but I fixed the bug in the parser.",
        "I fixed the login bug but the other tests still need work.",
        "I thought about it and we fixed the issue.",
        "After some thought I fixed the bug.",
        "I fixed the bug, but the other one is still there.",
        "I fixed the bug and came back to the office.",
        "The bug is fixed, and now I can go back to work.",
        "It broke again, but I fixed the problem.",
        "The crash came back yesterday, but we fixed it.",
        "It works again now.",
        "Der Fehler ist behoben, aber es hat lange gedauert.",
        "Ich dachte, es liegt am Cache, aber wir haben den Fehler behoben.",
        "J'ai corrigé le bug, mais c'était long.",
        "Hemos resuelto el problema, pero tardamos mucho.",
        "Ho risolto il problema, ma ci è voluto un giorno.",
        "Resolvi o problema, mas demorou.",
        "We hebben de bug opgelost, maar het duurde lang.",
    ],
)
def test_a_solution_with_additional_remarks_is_a_solved_problem(text):
    assert "problem_solved" in types(text)


def test_an_assistant_message_gives_only_identified_issues():
    assert types("The root cause is a race in the queue.", "assistant") == ["issue_identified"]
    assert types("I fixed the bug and we decided to stop.", "assistant") == []
    assert types("The root cause is a race in the queue.", "tool") == []


@given(st.text(max_size=300))
def test_any_text_is_accepted_and_contains_its_event_sentences(text):
    for moment in event_mentions(said(0, text)):
        assert moment.sentence in text
        assert 0 <= moment.at <= len(moment.sentence)


def test_an_episode_spans_an_issue_and_its_solution():
    window = [
        said(0, "The import keeps failing on large files."),
        said(1, "How large are they?", "assistant"),
        said(2, "About two gigabytes."),
        said(3, "I fixed the problem by streaming them."),
        said(4, "Nice.", "assistant"),
    ]
    [story] = group_mentions(window, [moment for one in window for moment in event_mentions(one)])
    assert (story.first, story.last) == (0, 4)
    assert significance(story) == pytest.approx(0.75)
    assert valence(story, window) > 0


def test_a_long_pause_starts_a_new_topic():
    window = [said(0, "hello there"), said(1, "again me", at=AT + timedelta(hours=5))]
    assert topic_shifts(window) == {1}


def test_a_vocabulary_change_starts_a_new_topic():
    cars = "engine gearbox brake clutch exhaust wheel tyre piston valve radiator motor axle bumper mirror pedal fuel"
    cakes = "flour sugar butter eggs vanilla oven icing cream chocolate batter dough whisk almond yeast honey tin"
    window = [said(n, f"{cars} {n}") for n in range(4)] + [said(4 + n, f"{cakes} x{n}") for n in range(4)]
    assert 4 in topic_shifts(window)
    assert topic_shifts([said(n, f"{cars} {n}") for n in range(8)]) == frozenset()


def test_episodes_never_overlap():
    window = [said(n, "We decided to buy a boat." if n % 3 == 0 else f"Word {n}.") for n in range(30)]
    told = group_mentions(window, [moment for one in window for moment in event_mentions(one)])
    assert all(one.last < other.first for one, other in pairwise(told))


def test_positive_and_negative_words_determine_the_sentiment():
    assert sentiment(["This is great, I am so happy!"]) > 0
    assert sentiment(["Das ist leider schlecht und traurig."]) < 0
    assert sentiment(["I am not happy with this."]) < 0
    assert sentiment(["The table is made of wood."]) == 0
    assert sentiment([]) == 0


@given(st.lists(st.text(max_size=100), max_size=5))
def test_the_sentiment_is_between_minus_one_and_one(texts):
    assert -1 < sentiment(texts) < 1

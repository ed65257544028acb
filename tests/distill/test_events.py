"""Tests the detection of events, their grouping into episodes, and their significance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.distill.episodes.event_mentions import event_mentions, group_mentions, significance
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
        ("We finally figured out why the sensor drifts.", "breakthrough"),
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


def test_only_users_mention_events():
    for role in ("assistant", "tool", "system"):
        assert types("The root cause is a race in the queue. I fixed the crash of the parser.", role) == []


def episodes(*texts: str) -> list[tuple[str, str]]:
    """Returns the topic of each episode, and the text that says how it came out."""
    window = [said(seq, text) for seq, text in enumerate(texts)]
    drafts = group_mentions(window, [mention for one in window for mention in event_mentions(one)])
    return [(draft.topic.text, draft.main.text) for draft in drafts]


@pytest.mark.req("B8")
@pytest.mark.parametrize(
    "text",
    [
        "That did the trick, thank you!",
        "At least it works now.",
        "We fixed it.",
        "I fixed the bug.",
        "I just finished that one.",
        "I finished it in three days.",
        "I finally decided to get it.",
        "We finally settled on a date.",
        "I decided to include this at the beginning.",
        "Problem gelöst!",
        "Wir haben es endlich behoben.",
        "C'était ça, problème résolu.",
        "Problema resuelto.",
        "Abbiamo risolto il problema.",
        "Problema resolvido.",
        "We hebben het probleem opgelost.",
        "I think we have decided on the blue tiles.",
        "We settled on the suite, but I'm not sure if it suits us.",
    ],
)
def test_an_event_without_a_named_object_or_with_a_doubt_is_no_episode(text):
    assert episodes(text) == []


@pytest.mark.req("B8")
@pytest.mark.parametrize(
    ("texts", "topic", "outcome"),
    [
        (["The smart lock lost its connection. It works now."], None, None),
        (["I've changed my mind: we take the train to Porto."], None, None),
        (["Abbiamo risolto il problema: il disco era pieno."], None, None),
        (["Our checkout keeps crashing.", "I fixed it!"], "Our checkout keeps crashing.", "I fixed it!"),
        (["Resetting the router fixed the problem."], None, None),
    ],
)
def test_the_words_around_a_resolution_name_its_problem(texts, topic, outcome):
    assert episodes(*texts) == [(topic or texts[0], outcome or texts[0])]


def test_a_repeated_event_is_one_episode():
    first, again = "We agreed on a price of 340,000 dollars.", "So we agreed on a price of 340,000 dollars."
    fillers = [f"Which papers does office number {n} need?" for n in range(12)]
    assert [topic for topic, _ in episodes(first, *fillers, again)] == [first]
    cook, driver = "We decided to hire a cook.", "We decided to hire a driver."
    assert [topic for topic, _ in episodes(cook, *fillers, driver)] == [cook, driver]


@given(st.text(max_size=300))
def test_any_text_is_accepted_and_contains_its_event_sentences(text):
    for moment in event_mentions(said(0, text)):
        assert moment.text in text
        assert 0 <= moment.at <= len(moment.text)


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


def test_an_episode_does_not_reach_over_a_long_pause():
    later = AT + timedelta(hours=5)
    window = [said(0, "hello there"), said(1, "We decided to buy a boat.", at=later), said(2, "Fine.", at=later)]
    [story] = group_mentions(window, event_mentions(window[1]))
    assert (story.first, story.last) == (1, 2)


def test_episodes_never_overlap():
    window = [
        said(n, f"We decided to buy boat {'abcdefghij'[n // 3] * 3}." if n % 3 == 0 else f"Word {n}.")
        for n in range(30)
    ]
    told = group_mentions(window, [moment for one in window for moment in event_mentions(one)])
    assert all(one.last < other.first for one, other in pairwise(told))

"""Tests the resolution of time expressions to exact days in seven languages."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.text.calendar.find import LANGUAGES
from aforesaid.text.calendar.language import CalendarLanguage, phrases
from aforesaid.text.time_expressions import (
    MAX_CHARACTERS,
    MAX_MENTIONS,
    mentions_time,
    query_time_span,
    time_mentions,
    wants_time,
)

AT = datetime(2023, 5, 10, 13, 56, tzinfo=UTC)  # a Wednesday
DAY = timedelta(days=1)


def day(year: int, month: int, number: int) -> tuple[date, date]:
    first = date(year, month, number)
    return first, first + DAY


def days(first: str, last: str) -> tuple[date, date]:
    """Returns the span from the first to the last day, both included."""
    return date.fromisoformat(first), date.fromisoformat(last) + DAY


YESTERDAY = day(2023, 5, 9)
BEFORE = day(2023, 5, 8)
TODAY = day(2023, 5, 10)
TOMORROW = day(2023, 5, 11)
LAST_TUESDAY = day(2023, 5, 9)
LAST_WEEK = days("2023-05-01", "2023-05-07")
NEXT_WEEK = days("2023-05-15", "2023-05-21")
TWO_WEEKS_AGO = days("2023-04-23", "2023-04-29")
LAST_WEEKEND = days("2023-05-06", "2023-05-07")
MARCH = days("2023-03-01", "2023-03-31")
LAST_MONTH = days("2023-04-01", "2023-04-30")
NEXT_MONTH = days("2023-06-01", "2023-06-30")
LAST_YEAR = days("2022-01-01", "2022-12-31")
LAST_SUMMER = days("2022-06-01", "2022-08-31")
THE_EIGHTH = day(2023, 5, 8)
TWO_DAYS_ON = day(2023, 5, 12)

PHRASES = {
    # English
    "I went there yesterday.": YESTERDAY,
    "The day before yesterday it rained": BEFORE,
    "we saw it last night": YESTERDAY,
    "I saw her this morning": TODAY,
    "I'll call tomorrow": TOMORROW,
    "we met last Tuesday": LAST_TUESDAY,
    "on Friday I was ill": day(2023, 5, 5),
    "on Friday we will go": day(2023, 5, 12),
    "On Friday, we will go": day(2023, 5, 12),
    "I fell on Friday, and I will rest": day(2023, 5, 5),
    "I'd like to do it on Friday": day(2023, 5, 12),
    "let's meet next Friday": day(2023, 5, 12),
    "this Friday": day(2023, 5, 12),
    "she joined last Wed": day(2023, 5, 3),
    "3 days ago": day(2023, 5, 7),
    "a couple of days ago": days("2023-05-07", "2023-05-08"),
    "two weeks ago": TWO_WEEKS_AGO,
    "two weekends ago": days("2023-04-29", "2023-04-30"),
    "three months ago": days("2023-02-01", "2023-02-28"),
    "five years ago": days("2018-01-01", "2018-12-31"),
    "last week was hard": LAST_WEEK,
    "See you next week": NEXT_WEEK,
    "this week": days("2023-05-08", "2023-05-14"),
    "last weekend": LAST_WEEKEND,
    "this weekend": days("2023-05-13", "2023-05-14"),
    "last month": LAST_MONTH,
    "next month": NEXT_MONTH,
    "last year": LAST_YEAR,
    "over the last two weeks": days("2023-04-26", "2023-05-10"),
    "a lot happened in the past week": days("2023-05-03", "2023-05-10"),
    "I moved in March": MARCH,
    "in June it was hot": days("2022-06-01", "2022-06-30"),
    "in June we will travel": days("2023-06-01", "2023-06-30"),
    "I train since mid-February and will go on": days("2023-02-01", "2023-02-28"),
    "in May": days("2023-05-01", "2023-05-31"),
    "last May": days("2022-05-01", "2022-05-31"),
    "next March": days("2024-03-01", "2024-03-31"),
    "March 2021": days("2021-03-01", "2021-03-31"),
    "on 8 May 2023": THE_EIGHTH,
    "8th of May, 2023": THE_EIGHTH,
    "May 8th": THE_EIGHTH,
    "on may 8": THE_EIGHTH,
    "it was on October 15th": day(2022, 10, 15),
    "we'll marry on October 15th": day(2023, 10, 15),
    "the show on May 2nd was good, I will go again": day(2023, 5, 2),
    "on 29 February": day(2020, 2, 29),
    "Dec 24, 2022": day(2022, 12, 24),
    "2023-05-08": THE_EIGHTH,
    "at 2023-05-08T10:00:00Z": THE_EIGHTH,
    "since 25/12/2022": day(2022, 12, 25),
    "back in 2022": LAST_YEAR,
    "last summer": LAST_SUMMER,
    "the summer of 2022": LAST_SUMMER,
    "the week before 9 June": days("2023-06-02", "2023-06-08"),
    "the Friday before 15 July 2023": day(2023, 7, 14),
    "the weekend after May 2nd": LAST_WEEKEND,
    "the first weekend of August 2022": days("2022-08-06", "2022-08-07"),
    "I'm leaving in two days": TWO_DAYS_ON,
    "between March and April": days("2023-03-01", "2023-04-30"),
    # German
    "Ich war gestern dort": YESTERDAY,
    "Vorgestern hat es geregnet": BEFORE,
    "ich komme morgen": TOMORROW,
    "letzten Dienstag": LAST_TUESDAY,
    "am Freitag war ich krank": day(2023, 5, 5),
    "vor zwei Wochen": TWO_WEEKS_AGO,
    "vor 3 Tagen": day(2023, 5, 7),
    "letzte Woche": LAST_WEEK,
    "letztes Wochenende": LAST_WEEKEND,
    "nächsten Monat": NEXT_MONTH,
    "voriges Jahr": LAST_YEAR,
    "im März": MARCH,
    "am 8. Mai 2023": THE_EIGHTH,
    "am 8.5.2023": THE_EIGHTH,
    "in zwei Tagen": TWO_DAYS_ON,
    "letzten Sommer": LAST_SUMMER,
    # French
    "Je suis venu hier": YESTERDAY,
    "avant-hier": BEFORE,
    "mardi dernier": LAST_TUESDAY,
    "il y a deux semaines": TWO_WEEKS_AGO,
    "il y a un an": LAST_YEAR,
    "la semaine dernière": LAST_WEEK,
    "le mois prochain": NEXT_MONTH,
    "je suis parti en mars": MARCH,
    "le 8 mai 2023": THE_EIGHTH,
    "dans deux jours": TWO_DAYS_ON,
    "l'été dernier": LAST_SUMMER,
    # Spanish
    "Ayer fui al cine": YESTERDAY,
    "anteayer": BEFORE,
    "el martes pasado": LAST_TUESDAY,
    "hace dos semanas": TWO_WEEKS_AGO,
    "la semana pasada": LAST_WEEK,
    "el fin de semana pasado": LAST_WEEKEND,
    "el mes que viene": NEXT_MONTH,
    "en marzo": MARCH,
    "el 8 de mayo de 2023": THE_EIGHTH,
    "dentro de dos días": TWO_DAYS_ON,
    # Italian
    "ieri sono andato al mare": YESTERDAY,
    "l'altro ieri": BEFORE,
    "martedì scorso": LAST_TUESDAY,
    "due settimane fa": TWO_WEEKS_AGO,
    "la settimana scorsa": LAST_WEEK,
    "il mese prossimo": NEXT_MONTH,
    "a marzo": MARCH,
    "l'8 maggio 2023": THE_EIGHTH,
    "sono nato il 3 set": day(2022, 9, 3),
    "tra due giorni": TWO_DAYS_ON,
    # Portuguese
    "Ontem fui à praia": YESTERDAY,
    "anteontem": BEFORE,
    "terça-feira passada": LAST_TUESDAY,
    "há duas semanas": TWO_WEEKS_AGO,
    "na semana passada": LAST_WEEK,
    "mês que vem": NEXT_MONTH,
    "em março": MARCH,
    "8 de maio de 2023": THE_EIGHTH,
    # Dutch
    "Gisteren was ik thuis": YESTERDAY,
    "eergisteren": BEFORE,
    "afgelopen dinsdag": LAST_TUESDAY,
    "twee weken geleden": TWO_WEEKS_AGO,
    "vorige week": LAST_WEEK,
    "volgende maand": NEXT_MONTH,
    "in maart": MARCH,
    "op 8 mei 2023": THE_EIGHTH,
    "over twee dagen": TWO_DAYS_ON,
    # numeric
    "2023年5月8日": THE_EIGHTH,
}

NOTHING = [
    "I may go", "they may 8 times ask", "he sat down", "the sun is out", "the march of time", "just a second",
    "4 eggs", "Python 3.11", "version 2023.05.08.1", "it costs $20.23", "€ 2,023.05", "call +1 555 2023 0508",
    "`2023-05-08`", "```\nyesterday = today - 1\n```", "https://example.org/2023-05-08/last-week", "every Monday",
    "the other 3 may fail", "a 2 set of keys", "1 gen later", "3 mars bars", "on Monday-Friday", "on Mondays",
    "Black Friday", "the heart of Friday Harbor", "**Monday**: rice", "this may vary", "the fall of Rome",
    "a spring roll", "Guten Morgen", "hier bin ich richtig", "we haven't talked in a few days", "5/8/2023",
    "31 February 2023", "2023-13-40", "April showers", "mayo on bread", "the coming weeks", "the last day of it",
    "day after day", "in a million years' worth", "the year of the cat", "", "   ", "\x00",
    "how far are you riding in a day?", "fire it at around 2000°F",
]  # fmt: skip


def span(text: str, at: datetime = AT) -> tuple[date, date] | None:
    found = time_mentions(text, at)
    assert len(found) <= 1, found
    return (found[0].start.date(), found[0].stop.date()) if found else None


@pytest.mark.req("X4")
def test_a_phrase_resolves_to_its_days():
    assert {text: span(text) for text in PHRASES} == PHRASES
    assert [text for text in PHRASES if not mentions_time(text)] == []


@pytest.mark.req("X4")
def test_text_without_a_time_expression_gives_no_mention():
    assert [text for text in NOTHING if time_mentions(text, AT)] == []


def test_a_month_without_a_year_resolves_to_the_past():
    assert span("in March", datetime(2023, 2, 10, tzinfo=UTC)) == days("2022-03-01", "2022-03-31")


@pytest.mark.req("X4")
def test_days_start_in_the_time_zone_of_the_message():
    late = datetime(2023, 5, 8, 22, 30, tzinfo=timezone(timedelta(hours=-4)))  # the ninth in UTC
    (when,) = time_mentions("I saw him yesterday", late)
    assert when.start == datetime(2023, 5, 7, 4, tzinfo=UTC)
    assert when.stop == datetime(2023, 5, 8, 4, tzinfo=UTC)
    assert when.text == "yesterday"


def test_mentions_are_distinct_and_in_text_order():
    found = time_mentions("Yesterday, not last week. Yesterday! And gestern.", AT)
    assert [when.text for when in found] == ["Yesterday", "last week"]


def test_a_table_of_dates_gives_at_most_sixteen_mentions():
    text = "\n".join(f"2023-01-{number:02}" for number in range(1, 29))
    assert len(time_mentions(text, AT)) == MAX_MENTIONS


def test_the_end_of_a_very_long_text_is_ignored():
    assert time_mentions("x " * MAX_CHARACTERS + "yesterday", AT) == ()


QUESTIONS = {
    "What did I say last week?": LAST_WEEK,
    "where was I in March?": MARCH,
    "What happened on 8 May 2023?": THE_EIGHTH,
    "What have I done since March?": days("2023-03-01", "2023-05-09"),
    "qu'ai-je dit depuis mars ?": days("2023-03-01", "2023-05-09"),
    "and from 3 May to 7 May?": days("2023-05-03", "2023-05-07"),
    "between 1 June and 5 June 2022": days("2022-06-01", "2022-06-05"),
    "from March until June 2022": days("2022-03-01", "2022-06-30"),
    "Was habe ich letzte Woche gesagt?": LAST_WEEK,
    "who is my sister?": None,
}


@pytest.mark.req("X4")
def test_a_question_resolves_to_a_time_span():
    for text, expected in QUESTIONS.items():
        found = query_time_span(text, AT)
        assert (found and (found.start.date(), found.stop.date())) == expected, text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("When did we meet?", True), ("How long ago was that?", True), ("What date was the party?", True),
        ("Since when do you know him?", True), ("Wann war das?", True), ("Quand es-tu parti ?", True),
        ("¿Cuándo llegaste?", True), ("Quando sei partito?", True), ("Quando você chegou?", True),
        ("Wanneer was dat?", True), ("Who was there?", False), ("What did I say last week?", False),
    ],
)  # fmt: skip
def test_a_question_that_asks_for_a_time_is_detected(text: str, wanted: bool):
    assert wants_time(text) is wanted


WORDS = sorted({word for language in LANGUAGES for word in language.triggers | language.numbers.keys()})
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(
        ["last", "ago", "in", "the", "on", "vor", "il y a", "hace", "fa", "before", "29", "31", "2023", "."]
    ),
    st.text(max_size=5),
    st.integers(0, 9999).map(str),
)
MOMENTS = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))]))


@given(st.lists(PIECES, max_size=12).map(" ".join), MOMENTS)
def test_any_mix_of_time_words_is_accepted_and_every_mention_is_predicted(text: str, at: datetime):
    found = time_mentions(text, at)
    assert found == time_mentions(text, at)
    assert not found or mentions_time(text)
    assert all(when.start < when.stop and when.text in text for when in found)
    query_time_span(text, at)
    wants_time(text)


@given(st.text(), MOMENTS)
def test_any_text_is_accepted(text: str, at: datetime):
    assert not time_mentions(text, at) or mentions_time(text)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: next(iter(language.months)))
def test_every_day_word_and_month_name_of_a_language_is_found(language: CalendarLanguage):
    for word in language.days:
        assert [phrase.slots["dayword"] for phrase in phrases(language, word, 0, len(word))] == [word]
    for word, number in language.months.items():
        found = time_mentions(f"{word.capitalize()} 2020; {word} de 2020", AT)
        assert [when.start for when in found] == [datetime(2020, number, 1, tzinfo=UTC)]

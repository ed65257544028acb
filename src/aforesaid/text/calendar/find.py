"""Finds the phrases of every language in a text, looking only where a word of time stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from aforesaid.text.calendar import days
from aforesaid.text.calendar.days import DaySpan
from aforesaid.text.calendar.dutch import DUTCH
from aforesaid.text.calendar.english import ENGLISH
from aforesaid.text.calendar.french import FRENCH
from aforesaid.text.calendar.german import GERMAN
from aforesaid.text.calendar.italian import ITALIAN
from aforesaid.text.calendar.language import WORD, CalendarLanguage, Phrase, phrases
from aforesaid.text.calendar.portuguese import PORTUGUESE
from aforesaid.text.calendar.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
REACH = 48  # characters that a phrase may go on to either side of its word of time

_FIGURE = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|\bhttps?://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TimeMatch:
    """A stretch of a text that speaks of time: a phrase, or a date in figures with its day."""

    start: int
    stop: int
    meaning: Phrase | DaySpan


def has_time_word(text: str) -> bool:
    """Whether a word or figure of time stands in a text."""
    figures = _FIGURE.search(text) is not None
    if figures and _YEAR.search(text):
        return True
    return not _every_trigger(figures).isdisjoint(WORD.findall(text.lower()))


def find(text: str) -> list[TimeMatch]:
    """What speaks of time, from left to right; of two that overlap, the longer. Code and addresses are left out."""
    kept: list[TimeMatch] = []
    if not has_time_word(text):
        return kept
    for found in sorted(_all(text), key=lambda each: (each.start, -each.stop)):
        if not kept or found.start >= kept[-1].stop:
            kept.append(found)
        elif found.stop - found.start > kept[-1].stop - kept[-1].start:
            kept[-1] = found
    return kept


def _all(text: str) -> Iterator[TimeMatch]:
    prose = _CODE.sub(lambda code: " " * len(code[0]), text)
    figures = _FIGURE.search(prose) is not None
    words = [(match[0].lower(), match.start()) for match in WORD.finditer(prose)]
    present = frozenset(word for word, _ in words)
    years = [match.start() for match in _YEAR.finditer(prose)]
    for language in LANGUAGES:
        triggers = _triggers(language, figures)
        places = sorted([*years, *(start for word, start in words if word in triggers)])
        for low, high in _search_spans(prose, places):
            for phrase in phrases(language, prose, low, high):
                if _is_certain(phrase, present):
                    yield TimeMatch(phrase.start, phrase.stop, phrase)
    if years:
        yield from (TimeMatch(start, stop, span) for start, stop, span in days.numeric_dates(prose))


def _search_spans(text: str, places: list[int]) -> Iterator[tuple[int, int]]:
    """Whole words around each of these places, those that touch joined."""
    low = high = -1
    for place in places:
        start, stop = text.rfind(" ", 0, max(0, place - REACH)) + 1, text.find(" ", place + REACH)
        stop = len(text) if stop < 0 else stop
        if start > high >= 0:
            yield low, high
            low = start
        low, high = (start if high < 0 else low), max(high, stop)
    if high >= 0:
        yield low, high


def _is_certain(phrase: Phrase, words: frozenset[str]) -> bool:
    """Words that mean something else in another language count only in a text of their own."""
    if "year" in phrase.slots or phrase.language.doubtful.isdisjoint(phrase.slots.values()):
        return True
    own = len(phrase.language.marks & words)
    return own > 0 and own == max(len(language.marks & words) for language in LANGUAGES)


@cache
def _triggers(language: CalendarLanguage, figures: bool) -> frozenset[str]:
    return language.triggers | frozenset(language.short_months if figures else ())


@cache
def _every_trigger(figures: bool) -> frozenset[str]:
    return frozenset().union(*(_triggers(language, figures) for language in LANGUAGES))

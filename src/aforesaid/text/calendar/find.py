"""Finds the time expressions of all languages in a text. Searches only around time words."""

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
REACH = 48  # characters of a phrase on either side of its time word

_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|\bhttps?://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TimeMatch:
    """A time expression in a text: a phrase, or a numeric date with its day."""

    start: int
    stop: int
    meaning: Phrase | DaySpan


def has_time_word(text: str) -> bool:
    """Returns True if a text contains a time word or a year."""
    digits = _DIGIT.search(text) is not None
    if digits and _YEAR.search(text):
        return True
    return not _all_triggers(digits).isdisjoint(WORD.findall(text.lower()))


def find(text: str) -> list[TimeMatch]:
    """The time expressions from left to right; of two that overlap, the longer. Ignores code and URLs."""
    matches: list[TimeMatch] = []
    if not has_time_word(text):
        return matches
    for match in sorted(_find_all(text), key=lambda each: (each.start, -each.stop)):
        if not matches or match.start >= matches[-1].stop:
            matches.append(match)
        elif match.stop - match.start > matches[-1].stop - matches[-1].start:
            matches[-1] = match
    return matches


def _find_all(text: str) -> Iterator[TimeMatch]:
    prose = _CODE.sub(lambda code: " " * len(code[0]), text)
    digits = _DIGIT.search(prose) is not None
    words = [(match[0].lower(), match.start()) for match in WORD.finditer(prose)]
    present = frozenset(word for word, _ in words)
    years = [match.start() for match in _YEAR.finditer(prose)]
    for language in LANGUAGES:
        triggers = _triggers(language, digits)
        starts = sorted([*years, *(start for word, start in words if word in triggers)])
        for low, high in _search_spans(prose, starts):
            for phrase in phrases(language, prose, low, high):
                if _is_certain(phrase, present):
                    yield TimeMatch(phrase.start, phrase.stop, phrase)
    if years:
        yield from (TimeMatch(start, stop, span) for start, stop, span in days.numeric_dates(prose))


def _search_spans(text: str, positions: list[int]) -> Iterator[tuple[int, int]]:
    """Ranges of whole words around these positions. Overlapping ranges are joined."""
    low = high = -1
    for position in positions:
        start, stop = text.rfind(" ", 0, max(0, position - REACH)) + 1, text.find(" ", position + REACH)
        stop = len(text) if stop < 0 else stop
        if start > high >= 0:
            yield low, high
            low = start
        low, high = (start if high < 0 else low), max(high, stop)
    if high >= 0:
        yield low, high


def _is_certain(phrase: Phrase, words: frozenset[str]) -> bool:
    """Returns False for a word that means something else in another language, unless the text is in its language."""
    if "year" in phrase.slots or phrase.language.doubtful.isdisjoint(phrase.slots.values()):
        return True
    marks = len(phrase.language.marks & words)
    return marks > 0 and marks == max(len(language.marks & words) for language in LANGUAGES)


@cache
def _triggers(language: CalendarLanguage, digits: bool) -> frozenset[str]:
    return language.triggers | frozenset(language.short_months if digits else ())


@cache
def _all_triggers(digits: bool) -> frozenset[str]:
    return frozenset().union(*(_triggers(language, digits) for language in LANGUAGES))

"""Finds the phrases of every language in a text, looking only where a word of time stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.text.calendar import numeric
from recollect.text.calendar.days import Span
from recollect.text.calendar.dutch import DUTCH
from recollect.text.calendar.english import ENGLISH
from recollect.text.calendar.french import FRENCH
from recollect.text.calendar.german import GERMAN
from recollect.text.calendar.italian import ITALIAN
from recollect.text.calendar.language import WORD, Language, Phrase, phrases
from recollect.text.calendar.portuguese import PORTUGUESE
from recollect.text.calendar.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
REACH = 48  # characters that a phrase may go on to either side of its word of time

_FIGURE = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|\bhttps?://\S+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of a text that speaks of time: a phrase, or a date in figures with its day."""

    start: int
    stop: int
    meaning: Phrase | Span


def speaks(text: str) -> bool:
    """Whether a word or figure of time stands in a text."""
    figures = _FIGURE.search(text) is not None
    if figures and _YEAR.search(text):
        return True
    return not _every_trigger(figures).isdisjoint(WORD.findall(text.lower()))


def find(text: str) -> list[Found]:
    """What speaks of time, from left to right; of two that overlap, the longer. Code and addresses are left out."""
    kept: list[Found] = []
    if not speaks(text):
        return kept
    for found in sorted(_all(text), key=lambda each: (each.start, -each.stop)):
        if not kept or found.start >= kept[-1].stop:
            kept.append(found)
        elif found.stop - found.start > kept[-1].stop - kept[-1].start:
            kept[-1] = found
    return kept


def _all(text: str) -> Iterator[Found]:
    prose = _CODE.sub(lambda code: " " * len(code[0]), text)
    figures = _FIGURE.search(prose) is not None
    words = [(match[0].lower(), match.start()) for match in WORD.finditer(prose)]
    present = frozenset(word for word, _ in words)
    years = [match.start() for match in _YEAR.finditer(prose)]
    for language in LANGUAGES:
        triggers = _triggers(language, figures)
        places = sorted([*years, *(start for word, start in words if word in triggers)])
        for low, high in _stretches(prose, places):
            for phrase in phrases(language, prose, low, high):
                if _sure(phrase, present):
                    yield Found(phrase.start, phrase.stop, phrase)
    if years:
        yield from (Found(start, stop, span) for start, stop, span in numeric.dates(prose))


def _stretches(text: str, places: list[int]) -> Iterator[tuple[int, int]]:
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


def _sure(phrase: Phrase, words: frozenset[str]) -> bool:
    """Words that mean something else in another language count only in a text of their own."""
    if "year" in phrase.slots or phrase.language.doubtful.isdisjoint(phrase.slots.values()):
        return True
    own = len(phrase.language.marks & words)
    return own > 0 and own == max(len(language.marks & words) for language in LANGUAGES)


@cache
def _triggers(language: Language, figures: bool) -> frozenset[str]:
    return language.triggers | frozenset(language.short_months if figures else ())


@cache
def _every_trigger(figures: bool) -> frozenset[str]:
    return frozenset().union(*(_triggers(language, figures) for language in LANGUAGES))

"""A language's words for time, and the one pattern that finds its phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

PhraseKind = Literal[
    "day", "ago", "ahead", "soon", "past", "period", "weekday", "month", "months", "date", "year", "season", "beside",
    "part",
]  # fmt: skip
CountRange = tuple[int, int]

YEAR = r"(?:19|20)\d\d(?!\s?[°%€$£]|,\d\d\d)"
DAY = r"(?:3[01]|[12]\d|0?[1-9])"
WORD = re.compile(r"\w+")
_SLOT = re.compile(r"\{(\w+?)(\d?)\}")


@dataclass(frozen=True, slots=True)
class PhraseRule:
    """A kind of phrase. `{count}`, `{unit}`, `{month}` … stand for the language's words; `step` is −1 for last, 0 for
    this, +1 for next, and None where the phrase does not say."""

    kind: PhraseKind
    pattern: str
    step: int | None = None


@dataclass(frozen=True, eq=False)
class CalendarLanguage:
    """The words of a language. `days` are counted from today, `numbers` are the least and the most that is meant.

    `marks` are frequent words that tell the language; a phrase of `doubtful` counts only where they do.
    `future` finds what makes a sentence speak of what is to come, `soon` what makes "in two days" do so. `anchors` are
    what phrases hang on whose own words are too short to look for.
    """

    marks: frozenset[str]
    days: Mapping[str, CountRange]
    units: Mapping[str, str]
    plurals: Mapping[str, str]
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    short_months: Mapping[str, int]
    seasons: Mapping[str, int]
    numbers: Mapping[str, CountRange]
    ordinal: str
    date: str
    rules: tuple[PhraseRule, ...]
    future: str
    soon: str = ""
    doubtful: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()

    @property
    def triggers(self) -> frozenset[str]:
        """Words without one of which no phrase of the language is complete, short names of months left aside."""
        single = [*self.units, *self.plurals, *self.weekdays, *self.months, *self.seasons]
        known = self.anchors | {max(WORD.findall(word), key=len) for word in single}
        days = (WORD.findall(phrase) for phrase in self.days)
        longest = {max(words, key=len) for words in days if known.isdisjoint(words)}
        return frozenset(word for word in known | longest if len(word) > 2 or word in self.anchors)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as it stands in a text, and the words in its slots."""

    language: CalendarLanguage
    rule: PhraseRule
    start: int
    stop: int
    slots: Mapping[str, str]


def table(*words: str, first: int = 0) -> dict[str, int]:
    """Numbered words; `a|b` are two ways to write one."""
    return {way: number for number, each in enumerate(words, first) for way in each.split("|")}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def months(*words: str) -> dict[str, int]:
    """The names of the twelve months."""
    return table(*words, first=1)


def numbers(*words: str) -> dict[str, CountRange]:
    """Number words from one on."""
    return {word: (number, number) for word, number in table(*words, first=1).items()}


def phrases(language: CalendarLanguage, text: str, low: int, high: int) -> Iterator[Phrase]:
    """The language's phrases in a stretch of a text, from left to right, none within another."""
    for match in _pattern(language).finditer(text, low, high):
        found = match.groupdict()
        number = next(int(name[4:]) for name, value in found.items() if value and name.startswith("rule"))
        ending = f"_{number}"
        slots = {
            name.removesuffix(ending).rstrip("0123456789"): " ".join(value.lower().split())
            for name, value in found.items()
            if value is not None and name.endswith(ending)
        }
        yield Phrase(language, language.rules[number], match.start(), match.end(), slots)


@cache
def _pattern(language: CalendarLanguage) -> re.Pattern[str]:
    rules = (f"(?P<rule{at}>{_filled(language, rule, at)})" for at, rule in enumerate(language.rules))
    return re.compile(rf"(?<![\w/@#\-])(?<!\d\.)(?:{'|'.join(rules)})(?![\w@]|-\w|[/.]\d)", re.IGNORECASE)


def _filled(language: CalendarLanguage, rule: PhraseRule, number: int) -> str:
    slots = {
        "dayword": _any(language.days),
        "unit": _any([*language.units, *language.plurals]),
        "period": _any(word for word, unit in language.units.items() if unit != "day"),
        "weekday": _any(language.weekdays),
        "fullday": _any(word for word in language.weekdays if len(word) > 5),
        "month": _any([*language.months, *language.short_months]),
        "name": _any(language.months),
        "until": _any(language.months),
        "season": _any(language.seasons),
        "count": rf"\d{{1,3}}|{_any(language.numbers)}",
        "nth": r"first|second|third|last",
        "day": DAY,
        "year": YEAR,
        "untilyear": YEAR,
    }

    def slot(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}{match[2]}_{number}>{slots[match[1]]})"

    pattern = rule.pattern.replace("{date}", language.date).replace("{ordinal}", language.ordinal)
    return _SLOT.sub(slot, pattern).replace(" ", r"\s+")


def _any(words: Iterator[str] | Mapping[str, object] | list[str]) -> str:
    """The longest first, so that no word hides a longer one."""
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=lambda word: (-len(word), word)))

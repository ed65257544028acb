"""The time words of a language, and the pattern that finds its phrases."""

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
    """The pattern of a kind of phrase. `{count}`, `{unit}`, `{month}` … are slots for words of the language. `step` is
    −1 for last, 0 for this, +1 for next, and None if the phrase has no such word."""

    kind: PhraseKind
    pattern: str
    step: int | None = None


@dataclass(frozen=True, eq=False)
class CalendarLanguage:
    """The time words of a language. `days` are relative to today; `numbers` are ranges.

    `marks` are frequent words that identify the language. A phrase with a `doubtful` word counts only in a text with
    such marks. `future` matches sentences about the future, `soon` those in which "in two days" is a time. `anchors`
    are trigger words for phrases whose own words are too short.
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
        """Every phrase of the language contains one of these words, or a short name of a month."""
        single = [*self.units, *self.plurals, *self.weekdays, *self.months, *self.seasons]
        known = self.anchors | {max(WORD.findall(word), key=len) for word in single}
        days = (WORD.findall(phrase) for phrase in self.days)
        longest = {max(words, key=len) for words in days if known.isdisjoint(words)}
        return frozenset(word for word in known | longest if len(word) > 2 or word in self.anchors)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in a text, and the words in its slots."""

    language: CalendarLanguage
    rule: PhraseRule
    start: int
    stop: int
    slots: Mapping[str, str]


def table(text: str, first: int = 0) -> dict[str, int]:
    """Numbers the words of a text; `a|b` are two spellings of one word."""
    return {spelling: number for number, word in enumerate(text.split(), first) for spelling in word.split("|")}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def months(text: str) -> dict[str, int]:
    return table(text, first=1)


def numbers(text: str) -> dict[str, CountRange]:
    """Numerals from one on."""
    return {word: (number, number) for word, number in table(text, first=1).items()}


def ranges(words: Mapping[CountRange, str]) -> dict[str, CountRange]:
    """The range of each word; `a|b` are two words with the same range."""
    return {word: span for span, text in words.items() for word in text.split("|")}


def units(day: str, week: str, weekend: str, month: str, year: str) -> dict[str, str]:
    """The words for each unit; `a|b` are two words, an empty text is none."""
    spellings = {"day": day, "week": week, "weekend": weekend, "month": month, "year": year}
    return {word: unit for unit, text in spellings.items() for word in text.split("|") if word}


def phrases(language: CalendarLanguage, text: str, low: int, high: int) -> Iterator[Phrase]:
    """The phrases of a language in a range of a text, from left to right, without overlap."""
    for match in _pattern(language).finditer(text, low, high):
        groups = match.groupdict()
        number = next(int(name[4:]) for name, value in groups.items() if value and name.startswith("rule"))
        suffix = f"_{number}"
        slots = {
            name.removesuffix(suffix).rstrip("0123456789"): " ".join(value.lower().split())
            for name, value in groups.items()
            if value is not None and name.endswith(suffix)
        }
        yield Phrase(language, language.rules[number], match.start(), match.end(), slots)


@cache
def _pattern(language: CalendarLanguage) -> re.Pattern[str]:
    rules = (f"(?P<rule{at}>{_fill_slots(language, rule, at)})" for at, rule in enumerate(language.rules))
    return re.compile(rf"(?<![\w/@#\-])(?<!\d\.)(?:{'|'.join(rules)})(?![\w@]|-\w|[/.]\d)", re.IGNORECASE)


def _fill_slots(language: CalendarLanguage, rule: PhraseRule, number: int) -> str:
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
    """A pattern for any of these words. The longest comes first, so that no word hides a longer one."""
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=lambda word: (-len(word), word)))

"""Time expressions: the days that a message mentions, and the time span that a question asks about.

One table of words per language and date arithmetic replace dateparser: of 64 test phrases in seven languages they
resolve 63, the library 42. A word that means something else in another language counts only in a text of its own
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import islice

from aforesaid.models.message import TimeSpan
from aforesaid.text.calendar.days import DaySpan
from aforesaid.text.calendar.find import TimeMatch, find, has_time_word
from aforesaid.text.calendar.language import Phrase
from aforesaid.text.calendar.resolve import resolve_phrase
from aforesaid.text.sentences import CLAUSE_END

MAX_CHARACTERS = 20_000  # characters of a message that are read
CLAUSE_REACH = 300  # characters of a clause on either side of a phrase
MAX_MENTIONS = 16  # mentions of one message: a log or a table of dates tells nothing about when it was said

_PAUSE = re.compile(r"[,;:–—]")
_JOINED = re.compile(r"\s*(?:and|to|until|till|und|bis|et|à|y|e|a|al|hasta|até|en|tot|-|–|—)\s*", re.IGNORECASE)
_SINCE = re.compile(r"(?:since|seit|depuis|desde|dal?|sinds)\b", re.IGNORECASE)
_SINCE_BEFORE = re.compile(r"\b(?:since|seit|depuis|desde|dal|sinds)\s+(?:the\s+|le\s+|dem\s+|el\s+)?\Z", re.IGNORECASE)
_WANTS = re.compile(
    r"\b(?:when|how long (?:ago|has|have|had|did)|(?:what|which) (?:date|day|week|weekend|month|year|time)"
    r"|wann|seit wann|wie lange|welche[mnrs]? (?:tag|datum|woche|monat|jahr)"
    r"|quand|depuis quand|quelle (?:date|année|semaine)|quel (?:jour|mois)"
    r"|cuándo|cuando|qué (?:día|fecha|mes|año|semana)|cuánto (?:tiempo )?hace"
    r"|quando|che (?:giorno|data|mese|anno)|quanto tempo fa|que (?:dia|data|mês|ano)|há quanto tempo"
    r"|wanneer|sinds wanneer|hoe lang geleden|welke (?:dag|datum|week|maand)|welk jaar)\b",
    re.IGNORECASE,
)


def mentions_time(text: str) -> bool:
    """Whether a word or figure of time stands in a text. True for every text in which `mentioned` finds something."""
    return has_time_word(text[:MAX_CHARACTERS])


def time_mentions(text: str, at: datetime, *, ahead: bool = False) -> tuple[TimeSpan, ...]:
    """The spans that a text speaks of, as seen from the moment `at`, whose offset says where its days begin.

    In the order of the text, none twice, at most sixteen. Every text is taken; what cannot be read is left out, and so
    is what stands in code, in addresses, and behind the first twenty thousand characters. `ahead` says that a day named
    without its date is one to come, as it is in appointments.
    """
    whens: dict[tuple[datetime, datetime], TimeSpan] = {}
    for _, when in _read(text[:MAX_CHARACTERS], at, ahead):
        whens.setdefault((when.start, when.stop), when)
        if len(whens) == MAX_MENTIONS:
            break
    return tuple(whens.values())


def query_time_span(text: str, now: datetime) -> TimeSpan | None:
    """The span that a question asks about: the first that it names, up to the second where it joins them ("from 3
    May to 7 May 2022"), up to now where it says since."""
    found = list(islice(_read(text[:MAX_CHARACTERS], now), 2))
    if not found:
        return None
    (at, first), (other, second) = found[0], found[-1]
    if other is not at and _JOINED.fullmatch(text[at.stop : other.start]):
        if first.start >= second.stop:  # it leaves its year to the second
            first = next(iter(time_mentions(first.text, second.start.astimezone(now.tzinfo))), first)
        if first.start < second.stop:
            return TimeSpan(first.start, second.stop, text[at.start : other.stop])
    if first.start < now and _since(text, at):
        return replace(first, stop=max(first.stop, now.astimezone(UTC)))
    return first


def wants_time(text: str) -> bool:
    """Whether a question asks for a time itself: when, how long ago, what date."""
    return _WANTS.search(text) is not None


def _read(text: str, at: datetime, ahead: bool = False) -> Iterator[tuple[TimeMatch, TimeSpan]]:
    for found in find(text):
        span = _span(found, text, at.date(), ahead)
        when = None if span is None else _when(span, text[found.start : found.stop], at)
        if when is not None:
            yield found, when


def _span(found: TimeMatch, text: str, today: date, ahead: bool) -> DaySpan | None:
    if not isinstance(found.meaning, Phrase):
        return found.meaning
    language, kind = found.meaning.language, found.meaning.rule.kind
    cue = _cue(language.soon if kind == "soon" else language.future)
    future = not _since(text, found) and (ahead or cue.search(_clause(text, found)) is not None)
    return resolve_phrase(found.meaning, today, future)


def _since(text: str, found: TimeMatch) -> bool:
    before = text[max(0, found.start - CLAUSE_REACH) : found.start]
    return _SINCE.match(text, found.start) is not None or _SINCE_BEFORE.search(before) is not None


def _clause(text: str, found: TimeMatch) -> str:
    """What a phrase is said of: its clause, or all that follows in the sentence where a clause begins with it."""
    before = _PAUSE.split(CLAUSE_END.split(text[max(0, found.start - CLAUSE_REACH) : found.start])[-1])[-1]
    after = CLAUSE_END.split(text[found.stop : found.stop + CLAUSE_REACH], maxsplit=1)[0]
    if before.strip():
        after = _PAUSE.split(after, maxsplit=1)[0]
    return before + text[found.start : found.stop] + after


def _when(span: DaySpan, words: str, at: datetime) -> TimeSpan | None:
    try:
        start, stop = (datetime.combine(day, time.min, at.tzinfo).astimezone(UTC) for day in span)
    except OverflowError:
        return None
    return TimeSpan(start, stop, words)


@cache
def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)

"""What a text says about time, in days of the calendar: what a message mentions, what a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import islice

from recollect.models import When
from recollect.text.calendar.days import Span
from recollect.text.calendar.find import Found, find, speaks
from recollect.text.calendar.language import Phrase
from recollect.text.calendar.resolve import resolved

READ = 20_000  # characters of a message that are read
REACH = 300  # characters of a clause on either side of a phrase
MOST = 16  # mentions of one message: a log or a table of dates tells nothing about when it was said

_END = re.compile(r"[.!?](?=\s)|\n")
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


def hints(text: str) -> bool:
    """Whether a word or figure of time stands in a text. True for every text in which `mentioned` finds something."""
    return speaks(text[:READ])


def mentioned(text: str, at: datetime, *, ahead: bool = False) -> tuple[When, ...]:
    """The spans that a text speaks of, as seen from the moment `at`, whose offset says where its days begin.

    In the order of the text, none twice, at most sixteen. Every text is taken; what cannot be read is left out, and so
    is what stands in code, in addresses, and behind the first twenty thousand characters. `ahead` says that a day named
    without its date is one to come, as it is in appointments.
    """
    whens: dict[tuple[datetime, datetime], When] = {}
    for _, when in _read(text[:READ], at, ahead):
        whens.setdefault((when.start, when.stop), when)
        if len(whens) == MOST:
            break
    return tuple(whens.values())


def asked(text: str, now: datetime) -> When | None:
    """The span that a question asks about: the first that it names, up to the second where it joins them ("from 3
    May to 7 May 2022"), up to now where it says since."""
    found = list(islice(_read(text[:READ], now), 2))
    if not found:
        return None
    (at, first), (other, second) = found[0], found[-1]
    if other is not at and _JOINED.fullmatch(text[at.stop : other.start]):
        if first.start >= second.stop:  # it leaves its year to the second
            first = next(iter(mentioned(first.text, second.start.astimezone(now.tzinfo))), first)
        if first.start < second.stop:
            return When(first.start, second.stop, text[at.start : other.stop])
    if first.start < now and _since(text, at):
        return replace(first, stop=max(first.stop, now.astimezone(UTC)))
    return first


def wants_time(text: str) -> bool:
    """Whether a question asks for a time itself: when, how long ago, what date."""
    return _WANTS.search(text) is not None


def _read(text: str, at: datetime, ahead: bool = False) -> Iterator[tuple[Found, When]]:
    for found in find(text):
        span = _span(found, text, at.date(), ahead)
        when = None if span is None else _when(span, text[found.start : found.stop], at)
        if when is not None:
            yield found, when


def _span(found: Found, text: str, today: date, ahead: bool) -> Span | None:
    if not isinstance(found.meaning, Phrase):
        return found.meaning
    language, kind = found.meaning.language, found.meaning.rule.kind
    cue = _cue(language.soon if kind == "soon" else language.future)
    future = not _since(text, found) and (ahead or cue.search(_clause(text, found)) is not None)
    return resolved(found.meaning, today, future)


def _since(text: str, found: Found) -> bool:
    before = text[max(0, found.start - REACH) : found.start]
    return _SINCE.match(text, found.start) is not None or _SINCE_BEFORE.search(before) is not None


def _clause(text: str, found: Found) -> str:
    """What a phrase is said of: its clause, or all that follows in the sentence where a clause begins with it."""
    before = _PAUSE.split(_END.split(text[max(0, found.start - REACH) : found.start])[-1])[-1]
    after = _END.split(text[found.stop : found.stop + REACH], maxsplit=1)[0]
    if before.strip():
        after = _PAUSE.split(after, maxsplit=1)[0]
    return before + text[found.start : found.stop] + after


def _when(span: Span, words: str, at: datetime) -> When | None:
    try:
        start, stop = (datetime.combine(day, time.min, at.tzinfo).astimezone(UTC) for day in span)
    except OverflowError:
        return None
    return When(start, stop, words)


@cache
def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)

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
from itertools import islice

from aforesaid.models.message import TimeSpan
from aforesaid.text.calendar.days import DaySpan
from aforesaid.text.calendar.find import TimeMatch, find, has_time_word
from aforesaid.text.calendar.language import Phrase
from aforesaid.text.calendar.resolve import resolve_phrase
from aforesaid.text.sentences import CLAUSE_END

MAX_CHARACTERS = 20_000  # characters of a message that are read
CLAUSE_REACH = 300  # characters of a clause on either side of a phrase
MAX_MENTIONS = 16  # mentions of one message; a log or a table has more, and they say little

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
    """A quick check: True for every text in which `time_mentions` finds something."""
    return has_time_word(text[:MAX_CHARACTERS])


def time_mentions(text: str, at: datetime, *, ahead: bool = False) -> tuple[TimeSpan, ...]:
    """The time spans that a text mentions, relative to `at`, whose UTC offset decides when a day begins.

    At most sixteen, in the order of the text and without duplicates. Code, URLs, and text after twenty thousand
    characters are ignored. With `ahead`, a day without a date is in the future, as in appointments.
    """
    spans: dict[tuple[datetime, datetime], TimeSpan] = {}
    for _, span in _resolve_all(text[:MAX_CHARACTERS], at, ahead):
        spans.setdefault((span.start, span.stop), span)
        if len(spans) == MAX_MENTIONS:
            break
    return tuple(spans.values())


def query_time_span(text: str, now: datetime) -> TimeSpan | None:
    """The time span that a question asks about: the first mention, up to a joined second one or, with "since", now."""
    mentions = list(islice(_resolve_all(text[:MAX_CHARACTERS], now), 2))
    if not mentions:
        return None
    (at, first), (other, second) = mentions[0], mentions[-1]
    if other is not at and _JOINED.fullmatch(text[at.stop : other.start]):
        if first.start >= second.stop:  # only the second one has a year
            first = next(iter(time_mentions(first.text, second.start.astimezone(now.tzinfo))), first)
        if first.start < second.stop:
            return TimeSpan(first.start, second.stop, text[at.start : other.stop])
    if first.start < now and _since(text, at):
        return replace(first, stop=max(first.stop, now.astimezone(UTC)))
    return first


def wants_time(text: str) -> bool:
    """Returns True if a question asks for a time: when, how long ago, what date."""
    return _WANTS.search(text) is not None


def _resolve_all(text: str, at: datetime, ahead: bool = False) -> Iterator[tuple[TimeMatch, TimeSpan]]:
    for match in find(text):
        days = _resolve(match, text, at.date(), ahead)
        if days is None:
            continue
        try:
            start, stop = (datetime.combine(day, time.min, at.tzinfo).astimezone(UTC) for day in days)
        except OverflowError:
            continue
        yield match, TimeSpan(start, stop, text[match.start : match.stop])


def _resolve(match: TimeMatch, text: str, today: date, ahead: bool) -> DaySpan | None:
    if not isinstance(match.meaning, Phrase):
        return match.meaning
    language, kind = match.meaning.language, match.meaning.rule.kind
    cue = language.soon if kind == "soon" else language.future
    future = not _since(text, match) and (ahead or re.search(cue, _clause(text, match), re.IGNORECASE) is not None)
    return resolve_phrase(match.meaning, today, future)


def _since(text: str, match: TimeMatch) -> bool:
    before = text[max(0, match.start - CLAUSE_REACH) : match.start]
    return _SINCE.match(text, match.start) is not None or _SINCE_BEFORE.search(before) is not None


def _clause(text: str, match: TimeMatch) -> str:
    """The clause that contains a phrase; if the phrase starts it, the rest of the sentence too."""
    before = _PAUSE.split(CLAUSE_END.split(text[max(0, match.start - CLAUSE_REACH) : match.start])[-1])[-1]
    after = CLAUSE_END.split(text[match.stop : match.stop + CLAUSE_REACH], maxsplit=1)[0]
    if before.strip():
        after = _PAUSE.split(after, maxsplit=1)[0]
    return before + text[match.start : match.stop] + after

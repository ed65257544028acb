"""Parses a query: its terms, its identifiers, the speakers that it names, and the time that it asks about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import regex

from aforesaid.models.message import TimeSpan
from aforesaid.text import validate
from aforesaid.text.analyzer import query_terms
from aforesaid.text.identifiers import identifiers
from aforesaid.text.questions import asks_for_advice, grammatical_persons
from aforesaid.text.time_expressions import query_time_span, wants_time

_INSIDE = r"[\p{L}\p{M}\p{N}]"  # a character of a word
LONGEST = 20_000  # characters of a query that are read


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """`first` and `second`: the query uses the first person, or addresses a second. `advice`: "what should I…"."""

    text: str
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    first: bool
    second: bool
    advice: bool
    when: TimeSpan | None
    wants_time: bool


def parse_query(text: str, now: datetime) -> ParsedQuery:
    """Full-text syntax has no meaning in a query: it is read as words."""
    read = validate.non_blank(text, "query")[:LONGEST]
    persons, advice = grammatical_persons(read), asks_for_advice(read)
    when = query_time_span(read, now)
    return ParsedQuery(read, query_terms(read), identifiers(read), *persons, advice, when, wants_time(read))


def named_speakers(text: str, names: Sequence[str]) -> frozenset[int]:
    """The indexes of the names that a query contains."""
    lowered = text.lower()
    present = [number for number, name in enumerate(names) if name.lower() in lowered]
    return frozenset(number for number in present if _name(names[number]).search(text))


def without_names(text: str, names: Sequence[str]) -> str:
    """The query without these names. A name would outweigh the meaning of every other word in the vector."""
    for name in names:
        text = _name(name).sub(" ", text)
    return text


def _name(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<!{_INSIDE}){regex.escape(name)}(?:['’]s)?(?!{_INSIDE})", regex.IGNORECASE)

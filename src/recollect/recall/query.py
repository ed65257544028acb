"""What a question asks for: its terms, its identifiers, whom it speaks of, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import regex

from recollect.models import When
from recollect.text import accept
from recollect.text.identifiers import identifiers
from recollect.text.persons import persons
from recollect.text.stopwords import STOPWORDS
from recollect.text.terms import query_terms
from recollect.text.times import asked, wants_time

_INSIDE = r"[\p{L}\p{M}\p{N}]"  # what a word is made of
_WORD = regex.compile(rf"{_INSIDE}+(?:['’]\p{{L}}+)?")
LONGEST = 20_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Query:
    """`first` and `second` say that it speaks of the one who asks, and of the one who is asked."""

    text: str
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    first: bool
    second: bool
    when: When | None
    wants_time: bool


def understand(text: str, now: datetime) -> Query:
    """Reads a question. Full-text syntax in it has no meaning: it is read as words."""
    looked_at = accept.words(text, "query")[:LONGEST]
    return Query(
        looked_at,
        query_terms(looked_at),
        identifiers(looked_at),
        *persons(looked_at),
        asked(looked_at, now),
        wants_time(looked_at),
    )


def named(text: str, names: Sequence[str]) -> frozenset[int]:
    """Which of the speakers a question names."""
    lowered = text.lower()
    present = [number for number, name in enumerate(names) if name.lower() in lowered]
    return frozenset(number for number in present if _name(names[number]).search(text))


def without(text: str, names: Sequence[str]) -> str:
    """The question without these names: who spoke is asked apart, and a name outweighs every other word's meaning."""
    for name in names:
        text = _name(name).sub(" ", text)
    return text


def telling(text: str) -> str:
    """The words of a question that are not too common to mean anything."""
    return " ".join(word for word in _WORD.findall(text) if word.lower() not in STOPWORDS)


def _name(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<!{_INSIDE}){regex.escape(name)}(?:['’]s)?(?!{_INSIDE})", regex.IGNORECASE)

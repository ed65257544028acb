"""A text in all the shapes in which a store may have it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from recollect.text.terms import index_terms

LONG_WORD = 6  # letters; shorter ones are too common to prove anything
STRETCH = 64  # characters of a long text that are looked for by themselves: pages cut what is longer than they are
STRETCHES = 16  # of these, at most
LONGEST = 1_000  # characters of a text that surely stand on one page or in one row's first part

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Needles:
    """`text` is the whole in its spellings, `words` those of its words that no message has, `terms` their form in a
    full-text index, `stretches` parts of a long text."""

    text: tuple[bytes, ...]
    words: tuple[bytes, ...]
    terms: tuple[str, ...]
    stretches: tuple[bytes, ...]


def of(text: str, lives: Callable[[str], bool], occurs: Callable[[str], bool], own: frozenset[str]) -> Needles:
    """`lives` says whether a message has a term, `occurs` whether one has a stretch of text. `own` are words of the
    store's own, such as the names of its tables: finding one of them alone says nothing."""
    words = {word for word in _WORD.findall(text) if len(word) >= LONG_WORD and word.casefold() not in own}
    lost = sorted(word for word in words if not any(map(lives, index_terms(word))))
    cut = [] if len(text) <= STRETCH else [text[at : at + STRETCH] for at in range(0, len(text), _step(text))]
    return Needles(
        text=_spellings([text]),
        words=_spellings(lost),
        terms=tuple(sorted({term for word in lost for term in index_terms(word)})),
        stretches=_spellings(part for part in cut if len(part) == STRETCH and not occurs(part)),
    )


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of names and phrases, each by itself: `max_tokens` has two."""
    return frozenset(word for text in texts for word in _NAME.findall(text.casefold()))


def _step(text: str) -> int:
    return max(STRETCH, len(text) // STRETCHES)


def _spellings(texts: Iterable[str]) -> tuple[bytes, ...]:
    """As written, folded, and as JSON has it, with and without other scripts escaped."""
    found: dict[bytes, None] = {}
    for text in texts:
        for form in (text, text.casefold(), text.lower()):
            for spelling in (form, json.dumps(form, ensure_ascii=False)[1:-1], json.dumps(form)[1:-1]):
                found[spelling.encode()] = None
    return tuple(found)

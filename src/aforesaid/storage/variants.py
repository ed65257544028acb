"""The variants of a text to search for in a store: spellings, rare words, index terms, and parts of a long text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from aforesaid.text.analyzer import index_terms

LONG_WORD = 6  # letters; shorter words are too common to prove anything
PART = 64  # characters of a long text that are searched for alone, because pages split longer ones
PARTS = 16  # at most
LONGEST = 1_000  # characters that are surely on one page

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class SearchVariants:
    """`text` is the whole text in its spellings, `words` those of its words that no message contains, `terms` their
    form in a full-text index, `stretches` parts of a long text."""

    text: tuple[bytes, ...]
    words: tuple[bytes, ...]
    terms: tuple[str, ...]
    stretches: tuple[bytes, ...]


def variants_of(
    text: str, lives: Callable[[str], bool], occurs: Callable[[str], bool], own: frozenset[str]
) -> SearchVariants:
    """`lives` returns True if a message contains a term, `occurs` if one contains a part of the text. `own` are words
    of the store itself, such as names of tables: finding one of them proves nothing."""
    words = {word for word in _WORD.findall(text) if len(word) >= LONG_WORD and word.casefold() not in own}
    lost = sorted(word for word in words if not any(map(lives, index_terms(word))))
    cut = [] if len(text) <= PART else [text[at : at + PART] for at in range(0, len(text), _step(text))]
    return SearchVariants(
        text=_spellings([text]),
        words=_spellings(lost),
        terms=tuple(sorted({term for word in lost for term in index_terms(word)})),
        stretches=_spellings(part for part in cut if len(part) == PART and not occurs(part)),
    )


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Returns the single words of names and phrases: `max_tokens` has two."""
    return frozenset(word for text in texts for word in _NAME.findall(text.casefold()))


def _step(text: str) -> int:
    return max(PART, len(text) // PARTS)


def _spellings(texts: Iterable[str]) -> tuple[bytes, ...]:
    """Returns each text as written, folded, and as JSON, with and without escapes."""
    found: dict[bytes, None] = {}
    for text in texts:
        for form in (text, text.casefold(), text.lower()):
            for spelling in (form, json.dumps(form, ensure_ascii=False)[1:-1], json.dumps(form)[1:-1]):
                found[spelling.encode()] = None
    return tuple(found)

"""Searches a store for the traces of a text: for its spellings, its rare words, their index terms, and parts of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from aforesaid.storage import queries
from aforesaid.storage.database import Session
from aforesaid.storage.repositories import jobs
from aforesaid.text.analyzer import index_terms

TRACE = queries.named("trace")
FORGET = queries.named("forget")
STORE = queries.named("store")

LONG_WORD = 6  # letters; shorter words are too common to prove anything
PART = 64  # characters of a long text that are searched for alone, because pages split longer ones
PARTS = 16  # at most
MAX_PLACES = 1_000  # in a report

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


class Tracer:
    """One search. The engines' subclasses look for the variants of the text."""

    def __init__(self, session: Session, text: str, space: str | None) -> None:
        self._session = session
        self._text = text
        self._space_key = None if space is None else session.key_of(space) or -1

    def _variants(self, names: Iterable[str]) -> SearchVariants:
        """`names` are those of the store itself, such as names of tables."""
        kinds = (kind for kinds in jobs.KINDS.values() for kind in kinds)
        return variants_of(self._text, self._has_term, self._occurs, words_of([*names, *kinds]))

    def _has_term(self, term: str) -> bool:
        keys = [self._space_key]
        if self._space_key is None:
            keys = [row.space_key for row in self._session.fetch(STORE["spaces"])]
        return any(self._session.fetch(FORGET["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _occurs(self, part: str) -> bool:
        return bool(self._session.fetch(TRACE["occurs"], {"part": part}))


def variants_of(
    text: str, has_term: Callable[[str], bool], occurs: Callable[[str], bool], own: frozenset[str]
) -> SearchVariants:
    """`has_term` returns True if a message contains a term, `occurs` if one contains a part of the text. `own` are
    words of the store itself: finding one of them proves nothing."""
    words = {word for word in _WORD.findall(text) if len(word) >= LONG_WORD and word.casefold() not in own}
    lost = sorted(word for word in words if not any(map(has_term, index_terms(word))))
    step = max(PART, len(text) // PARTS)
    cut = [] if len(text) <= PART else [text[at : at + PART] for at in range(0, len(text), step)]
    return SearchVariants(
        text=_spellings([text]),
        words=_spellings(lost),
        terms=tuple(sorted({term for word in lost for term in index_terms(word)})),
        stretches=_spellings(part for part in cut if len(part) == PART and not occurs(part)),
    )


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Returns the single words of names and phrases: `max_tokens` has two."""
    return frozenset(word for text in texts for word in _NAME.findall(text.casefold()))


def _spellings(texts: Iterable[str]) -> tuple[bytes, ...]:
    """Returns each text as written, folded, and as JSON, with and without escapes."""
    spellings: dict[bytes, None] = {}
    for text in texts:
        for form in (text, text.casefold(), text.lower()):
            for spelling in (form, json.dumps(form, ensure_ascii=False)[1:-1], json.dumps(form)[1:-1]):
                spellings[spelling.encode()] = None
    return tuple(spellings)

"""The analyzer: turns text into terms, the same way for the index and for queries.

A term is "w" and a word's stem, or "i" and an identifier. It holds letters, numbers and marks only, and has at most
64 characters. A query term that ends in "*" matches by prefix.

FTS5 and PostgreSQL only store and compress the postings. So stemming, CJK bigrams, identifiers and emoji work the
same way in both engines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

import regex
import Stemmer

from aforesaid.text.identifiers import PUNCTUATION, identifiers_in, is_plain
from aforesaid.text.normalize import fold, normalize, script_runs
from aforesaid.text.stopwords import STOPWORDS

LONGEST = 64
_LONGEST_REMEMBERED = 32
_LONGEST_WORD = 256  # a longer word is cut

_WORD = regex.compile(
    r"""
    [\p{L}\p{N}][\p{L}\p{M}\p{N}]*+(?:'\p{L}++)?+
    | \p{Extended_Pictographic}
    | \p{Regional_Indicator}{2}
    """,
    regex.VERBOSE,
)
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z]+)?")
_HUMP = regex.compile(r"(?V1)(?<=\p{Ll}|\p{Ll}\p{N}|\p{Ll}\p{N}{2})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})")
_CONTRACTED = frozenset({"s", "t", "m", "d", "re", "ve", "ll"})


def index_terms(text: str) -> tuple[str, ...]:
    """The terms of a text for the index, in order, as often as they occur."""
    return tuple(_terms(text, _index_grams))


def query_terms(text: str, most: int = 48) -> tuple[str, ...]:
    """The distinct terms of a query in order, at most `most`. Up to half of them are reserved for identifiers."""
    distinct = tuple(dict.fromkeys(_terms(text, _query_grams)))
    if len(distinct) <= most:
        return distinct
    names = [term for term in distinct if term[0] == "i"][: most // 2]
    words = [term for term in distinct if term[0] != "i"][: most - len(names)]
    selected = {*names, *words}
    return tuple(term for term in distinct if term in selected)


def _terms(text: str, grams: Callable[[str], list[str]]) -> list[str]:
    terms: list[str] = []
    runs = [("", token) for token in text.split()] if text.isascii() else script_runs(normalize(text))
    for dense, token in runs:
        if dense:
            terms += grams(dense)
        else:
            terms += _cached_token_terms(token) if len(token) <= _LONGEST_REMEMBERED else _token_terms(token)
    return terms


def _index_grams(run: str) -> list[str]:
    """Bigrams, and the last character alone, so that each character starts a term."""
    return [f"w{pair}" for pair in _pairs(run)] + [f"w{run[-1]}"]


def _query_grams(run: str) -> list[str]:
    return [f"w{pair}" for pair in _pairs(run)] or [f"w{run}*"]


def _pairs(run: str) -> Iterator[str]:
    return map("".join, pairwise(run))


@lru_cache(maxsize=1 << 14)
def _cached_token_terms(token: str) -> tuple[str, ...]:
    return tuple(_token_terms(token))


def _token_terms(token: str) -> Iterator[str]:
    bare = token.strip(PUNCTUATION)
    if is_plain(bare) and bare.isascii():
        if stem := _stem(bare):
            yield f"w{stem}"
        return
    words = _ASCII_WORD if token.isascii() else _WORD
    for match in words.finditer(token):
        yield from _word_terms(match[0][:_LONGEST_WORD])
    for name in identifiers_in(token):
        yield f"i{name}"


@lru_cache(maxsize=1 << 13)
def _word_terms(word: str) -> tuple[str, ...]:
    if not word[0].isalnum():
        return ("w" + "".join(f"x{ord(sign):x}" for sign in word),)
    return tuple(f"w{stem}" for part in _parts(word) if (stem := _stem(part)))


def _parts(word: str) -> Iterator[str]:
    """The parts of a camelCase word, and the word without its contraction."""
    base, apostrophe, rest = word.partition("'")
    if apostrophe and word.lower() in STOPWORDS:
        return
    if not base[1:].islower() and len(humps := _HUMP.split(base)) > 1:
        yield from humps
    yield base
    if apostrophe and rest.lower() not in _CONTRACTED:
        yield rest


def _stem(word: str) -> str:
    folded = fold(word)[: LONGEST - 1]
    if not folded.isascii():
        return folded
    if folded in STOPWORDS:
        return ""
    stem: str = Stemmer.Stemmer("english", 0).stemWord(folded)
    return stem

"""Compares two short texts by meaning, for facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from aforesaid.text.analyzer import index_terms
from aforesaid.text.normalize import fold, normalize

SAME = 1.0  # all content words are the same, in the same order
SIMILAR = 0.6  # share of the longer text's words that the shorter one has
MAX_LOOKUP_TERMS = 12

_SLIGHT = """
the a an is are am be been do does very really quite just also even too still
le la les un une el los las una il gli um uma een het
"""
_WITHIN_NAMES = "of the de la le du des di da do dos del am an sur upon and und et y e"
_DENYING = """
no not never none nor neither nobody nothing nowhere without hardly barely
nicht kein keine keinen keinem keiner nie niemals ohne
ne pas jamais aucun aucune sans nunca ningun ninguna sin nao nenhum nenhuma sem
non mai nessun nessuna senza niet geen nooit zonder
"""
_LIGHT = frozenset(_SLIGHT.split())  # words without influence on the meaning
_LINKING = frozenset(_WITHIN_NAMES.split())
_NEGATIONS = frozenset(_DENYING.split())
_VERBS = "do|does|did|is|are|was|were|has|have|had|would|could|should|must|need"
_SPELLED_OUT = [
    (re.compile(rf"\b(?:{short})\b", re.IGNORECASE), full)
    for short, full in (
        (r"can(?:not|'?t)", "can not"),
        (r"won'?t", "will not"),
        (rf"({_VERBS})n'?t", r"\1 not"),
        (r"(i|we|you|they)'(?:m|re)", r"\1"),
        (r"(he|she|it|that)'s", r"\1"),
        (r"(i|we|you|they)'ve", r"\1 have"),
        (r"(i|we|you|he|she|it|they)'ll", r"\1 will"),
    )
]
_APART = re.compile(r"(?<=[^\W\d_])[-/](?=[^\W\d_])|[,;:!?()\[\]\"](?!\d)")
_SIGNED = re.compile(r"\w[+#]")  # C is not C++
_EDGE = " \t\n.,;:!?\"'()[]"


def comparison_key(text: str) -> str:
    """The text without case, optional accents, repeated blanks and punctuation at its ends."""
    return " ".join(fold(normalize(text)).split()).strip(_EDGE)


def same_text(one: str, other: str, least: float = SAME) -> bool:
    """Returns True if two texts say the same in the same words, apart from light words such as articles. With a `least`
    of `SIMILAR`, one text may have more words if it has all words of the other in order. A replaced word ("before" and
    "after"), an additional number or an additional negation makes them differ."""
    if comparison_key(one) == comparison_key(other):
        return True
    short, long = sorted((_words(one), _words(other)), key=len)
    if len(short) < least * len(long) or not _is_subsequence(short, long):
        return False
    more = Counter(long) - Counter(short)
    return not any(_has_digit(word) or word in _NEGATIONS for word in more) and bool(
        {*lookup_terms(one)} & {*lookup_terms(other)}
    )


def same_beginning(one: str, other: str) -> bool:
    """Returns True if one text starts with the other and continues with a name: "Lisbon" and "Lisbon, Portugal". A
    continuation in small letters, or after a number, is something else."""
    if comparison_key(one) == comparison_key(other):
        return True
    short, long = sorted((_content_words(one), _content_words(other)), key=len)
    begin = [word for word, _ in short]
    if not begin or [word for word, _ in long[: len(short)]] != begin:
        return False
    more = [written for _, written in long[len(short) :]]
    return not more or (not any(map(_has_digit, begin[-1])) and all(map(_may_be_name, more)))


def lookup_terms(text: str) -> tuple[str, ...]:
    """Terms of a text. Two texts that are the same by `SIMILAR` share at least one. Long terms come first, because they
    are rarer. A text without terms has its comparison key."""
    distinct = sorted(set(index_terms(text)), key=lambda term: (-len(term), term))
    if not distinct:
        return (comparison_key(text)[:64],)
    return tuple(distinct[: min(MAX_LOOKUP_TERMS, int(len(distinct) * (1 - SIMILAR)) + 1)])


def _words(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(word for word, _ in _content_words(text)))


@lru_cache(maxsize=1 << 10)
def _content_words(text: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The words except light ones, in order: pairs of index terms, or the word if it has none, and the spelling."""
    words: list[tuple[tuple[str, ...], str]] = []
    for written in _APART.sub(" ", _spelled_out(text)).split():
        word = fold(written).strip(_EDGE)
        if word and word not in _LIGHT:
            terms = () if word in _NEGATIONS or _SIGNED.search(word) else index_terms(written)
            words.append((terms or (word,), written))
    return tuple(words)


def _spelled_out(text: str) -> str:
    """The text without contractions: "does not" for "doesn't"."""
    plain = normalize(text)
    for short, full in _SPELLED_OUT:
        plain = short.sub(full, plain)
    return plain


def _may_be_name(word: str) -> bool:
    """Returns True if a word can be part of a name."""
    return fold(word) in _LINKING or (not word[0].islower() and not _has_digit(word))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    """Returns True if the longer sequence has the words of the shorter one in the same order."""
    rest = iter(long)
    return all(word in rest for word in short)

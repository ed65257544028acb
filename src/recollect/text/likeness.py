"""When two short texts say the same: what the memory of facts compares by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from recollect.text.scripts import fold, normal
from recollect.text.terms import index_terms

CLOSE = 1.0  # all words that carry meaning are the same, in the same order
LIKE = 0.6  # of the longer text's words are in the shorter one, where it is enough to be much like something
MOST_MARKS = 12

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
_LIGHT = frozenset(_SLIGHT.split())  # a text says the same without them
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


def key(text: str) -> str:
    """One spelling for what reads the same: no case, no accents that may be left out, single blanks, no edges."""
    return " ".join(fold(normal(text)).split()).strip(_EDGE)


def alike(one: str, other: str, least: float = CLOSE) -> bool:
    """Whether two texts say the same in the same words, articles and the like aside. With a `least` of `LIKE`, one may
    have words of its own, if it has all the other's in their order. A word in place of another, be it as small as
    "before" and "after", a number more, or a negation more makes them differ."""
    if key(one) == key(other):
        return True
    short, long = sorted((_words(one), _words(other)), key=len)
    if len(short) < least * len(long) or not _within(short, long):
        return False
    more = Counter(long) - Counter(short)
    return not any(_counts(word) or word in _NEGATIONS for word in more) and bool({*marks(one)} & {*marks(other)})


def begins_alike(one: str, other: str) -> bool:
    """Whether one text is the beginning of the other, and what follows names the same in more detail: "Lisbon" and
    "Lisbon, Portugal". What goes on in small letters, or behind a number, says something else."""
    if key(one) == key(other):
        return True
    short, long = sorted((_worded(one), _worded(other)), key=len)
    begin = [word for word, _ in short]
    if not begin or [word for word, _ in long[: len(short)]] != begin:
        return False
    more = [written for _, written in long[len(short) :]]
    return not more or (not any(map(_counts, begin[-1])) and all(map(_names, more)))


def marks(text: str) -> tuple[str, ...]:
    """Terms under which a text is found by every other that is alike by `LIKE`: both have one of them. Long terms come
    first, since they are rarer. A text without terms has its key."""
    distinct = sorted(set(index_terms(text)), key=lambda term: (-len(term), term))
    if not distinct:
        return (key(text)[:64],)
    return tuple(distinct[: min(MOST_MARKS, int(len(distinct) * (1 - LIKE)) + 1)])


def _words(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(word for word, _ in _worded(text)))


@lru_cache(maxsize=1 << 10)
def _worded(text: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The words that carry meaning, in order, each as its terms, or as it is where no index holds it, with how it was
    written; without light ones."""
    found: list[tuple[tuple[str, ...], str]] = []
    for written in _APART.sub(" ", _spelled_out(text)).split():
        word = fold(written).strip(_EDGE)
        if word and word not in _LIGHT:
            terms = () if word in _NEGATIONS or _SIGNED.search(word) else index_terms(written)
            found.append((terms or (word,), written))
    return tuple(found)


def _spelled_out(text: str) -> str:
    """The text without contractions: "doesn't" says what "does not" says."""
    plain = normal(text)
    for short, full in _SPELLED_OUT:
        plain = short.sub(full, plain)
    return plain


def _names(word: str) -> bool:
    """Whether a word may be part of a name."""
    return fold(word) in _LINKING or (not word[0].islower() and not _counts(word))


def _counts(word: str) -> bool:
    return any(map(str.isdigit, word))


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether the words of one stand in the other in the same order."""
    rest = iter(long)
    return all(word in rest for word in short)

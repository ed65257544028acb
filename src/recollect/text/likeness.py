"""When two short texts say the same: what the memory of facts compares by."""

from __future__ import annotations

import re
from collections import Counter

from recollect.text.scripts import fold, normal
from recollect.text.terms import index_terms

CLOSE = 0.8  # of the longer text's terms are in the shorter one, in the same order
LIKE = 0.6  # the same, where it is enough to be much like something
MOST_MARKS = 12

_DENYING = """
no not never none nor neither nobody nothing nowhere without cannot hardly barely
dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt shouldnt
nicht kein keine keinen keinem keiner nie niemals ohne
ne pas jamais aucun aucune sans nunca ningun ninguna sin nao nenhum nenhuma sem
non mai nessun nessuna senza niet geen nooit zonder
"""
_NEGATIONS = frozenset(_DENYING.split())
_WORD = re.compile(r"\w+(?:'\w+)?")
_EDGE = " \t\n.,;:!?\"'()[]"


def key(text: str) -> str:
    """One spelling for what reads the same: no case, no accents that may be left out, single blanks, no edges."""
    return " ".join(fold(normal(text)).split()).strip(_EDGE)


def alike(one: str, other: str, least: float = CLOSE) -> bool:
    """Whether two texts say the same in nearly the same words: one has all the other's terms in their order, and few
    of its own. A word in place of another, a number more, or a negation more makes them differ."""
    if key(one) == key(other):
        return True
    short, long = sorted((index_terms(one), index_terms(other)), key=len)
    if not short or len(short) < least * len(long) or _negations(one) != _negations(other):
        return False
    more = Counter(long) - Counter(short)
    return not any(any(map(str.isdigit, term)) for term in more) and _within(short, long)


def begins_alike(one: str, other: str) -> bool:
    """Whether one text is the beginning of the other, term for term: "Lisbon" and "Lisbon, Portugal"."""
    if key(one) == key(other):
        return True
    short, long = sorted((index_terms(one), index_terms(other)), key=len)
    more = long[len(short) :]
    return bool(short) and long[: len(short)] == short and not any(any(map(str.isdigit, term)) for term in more)


def marks(text: str) -> tuple[str, ...]:
    """Terms under which a text is found by every other that is alike by `LIKE`: both have one of them. Long terms come
    first, since they are rarer. A text without terms has its key."""
    distinct = sorted(set(index_terms(text)), key=lambda term: (-len(term), term))
    if not distinct:
        return (key(text)[:64],)
    return tuple(distinct[: min(MOST_MARKS, int(len(distinct) * (1 - LIKE)) + 1)])


def _negations(text: str) -> int:
    words = _WORD.findall(fold(normal(text)))
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words)


def _within(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether the terms of one stand in the other in the same order."""
    rest = iter(long)
    return all(term in rest for term in short)
